export { type BlockProblem, type Extracted, XnlExtractor } from './extract/xnl-extractor.ts';
export { type ParseUniqueOptions, parseMany, parseSingle, parseUnique } from './syntax/parse.ts';
export type { ParseOptions } from './syntax/parser.ts';
export { type StringifyOptions, stringify } from './syntax/stringify.ts';
export {
  XnlParseError,
  type XnlParseErrorCode,
  type XnlPosition,
  XnlStringifyError,
  type XnlStringifyErrorCode,
} from './syntax/xnl-error.ts';
export {
  Comment,
  DataElement,
  type DataElementFields,
  TextElement,
  type TextElementFields,
  XnlDocument,
  type XnlElement,
  type XnlExtend,
  type XnlLiteral,
  type XnlMap,
  type XnlNode,
  type XnlValue,
  type XnlWarning,
} from './syntax/xnl-node.ts';
