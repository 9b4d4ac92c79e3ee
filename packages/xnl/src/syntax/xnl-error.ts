/** Why a text is no XNL. A text that is only cut short always fails with `UNEXPECTED_EOF`. */
export type XnlParseErrorCode =
  | 'UNEXPECTED_EOF'
  | 'UNEXPECTED_TOKEN'
  | 'MISMATCHED_TAG'
  | 'INVALID_CONTENT'
  | 'INVALID_LITERAL'
  | 'TOO_DEEP';

/** A position in a text: an offset in UTF-16 units, and line and column counted from 1. */
export interface XnlPosition {
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

/** Says what is wrong with a text, and where. */
export class XnlParseError extends Error implements XnlPosition {
  readonly code: XnlParseErrorCode;
  readonly position: number;
  readonly line: number;
  readonly column: number;

  constructor(code: XnlParseErrorCode, message: string, { position, line, column }: XnlPosition) {
    super(`${message} (at ${line}:${column})`);
    this.name = 'XnlParseError';
    this.code = code;
    this.position = position;
    this.line = line;
    this.column = column;
  }
}

/** Why a tree can't be written so that reading it gives the same tree. */
export type XnlStringifyErrorCode = 'INVALID_NAME' | 'INVALID_VALUE' | 'INVALID_TEXT' | 'TOO_DEEP';

/** Says what of a tree has no XNL. */
export class XnlStringifyError extends Error {
  readonly code: XnlStringifyErrorCode;

  constructor(code: XnlStringifyErrorCode, message: string) {
    super(message);
    this.name = 'XnlStringifyError';
    this.code = code;
  }
}
