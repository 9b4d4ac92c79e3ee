/** The id of an entry as a stream and a header carry it, whatever a session's file has as one. */
export function tokenOfEntry(id: string): string {
  return id.replace(/[^\w-]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The id that a token stands for. */
export function entryOfToken(token: string): string {
  return token.replace(/%([0-9a-f]{4})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
