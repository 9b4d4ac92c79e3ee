/** Decodes the escapes of common languages: `\\x74`, `\\u0074`, `\\u{74}`, `\\164`. */
export function decodeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(
    /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|([0-7]{3}))/g,
    (whole, ...digits: string[]) => {
      const [byte, short, long, octal] = digits;
      const code =
        octal === undefined ? Number.parseInt(byte ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8);
      return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : whole;
    },
  );
}
