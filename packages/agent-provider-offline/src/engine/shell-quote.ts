/** A word for the shell that means exactly the text. */
export function shellQuote(text: string): string {
  if (/^[\w./@%+=:,-]+$/.test(text) && !text.startsWith('-')) return text;
  const quoted = `'${text.replaceAll("'", `'\\''`)}'`;
  return text.startsWith('-') ? `./${quoted}` : quoted;
}
