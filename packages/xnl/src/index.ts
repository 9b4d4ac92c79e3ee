export { type BlockProblem, type Extracted, XnlExtractor } from './extract/xnl-extractor.ts';
export { type ParseUniqueOptions, parseMany, parseSingle, parseUnique } from './parse.ts';
export type { ParseOptions } from './parser.ts';
export { type StringifyOptions, stringify } from './stringify.ts';
export {
  XnlParseError,
  type XnlParseErrorCode,
  type XnlPlace,
  XnlStringifyError,
  type XnlStringifyErrorCode,
} from './xnl-error.ts';
export {
  Comment,
  DataElement,
  type DataElementParts,
  TextElement,
  type TextElementParts,
  XnlDocument,
  type XnlElement,
  type XnlExtend,
  type XnlLiteral,
  type XnlMap,
  type XnlNode,
  type XnlValue,
  type XnlWarning,
} from './xnl-node.ts';
