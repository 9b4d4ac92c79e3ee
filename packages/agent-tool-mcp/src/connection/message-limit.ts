/** The largest message a server may send; a larger one is thrown away while it arrives. */
export const maxMessageBytes = 16 * 1024 * 1024;

/** Says that a message was thrown away, and why. */
export function messageTooLarge(bytes: number): string {
  const megabytes = (size: number) => `${Math.round(size / 1024 / 1024)} MB`;
  return `its answer of ${megabytes(bytes)} is larger than the ${megabytes(maxMessageBytes)} that are read, and was thrown away; ask for less`;
}
