/** The text a call may give back. */
export interface TextBudget {
  bytes: number;
}

/**
 * A decoder that bindings use instead of the usual one: text that is no UTF-8, or more than a call may give back, is an
 * error before a string is made of it.
 */
export function limitedTextDecoder(budget: TextBudget): typeof TextDecoder {
  return class extends TextDecoder {
    constructor(label?: string) {
      super(label, { fatal: true, ignoreBOM: true });
    }

    override decode(input: Uint8Array): string {
      budget.bytes -= input.byteLength;
      if (budget.bytes < 0) throw new Error('it returned more text than allowed');
      try {
        return super.decode(input);
      } catch {
        throw new Error('it returned text that is not UTF-8');
      }
    }
  } as typeof TextDecoder;
}
