/** A request that the server does not serve, as the reply says it. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(status: number, code: string, { message, hint }: { message: string; hint?: string }) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}
