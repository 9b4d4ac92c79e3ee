import { type ParseOptions, Parser } from './parser.ts';
import { DataElement, XnlDocument, type XnlElement, type XnlMap, type XnlWarning } from './xnl-node.ts';

/** Reads a sequence of elements; an empty text is an empty document. */
export function parseMany(text: string, options: ParseOptions = {}): XnlDocument {
  const warnings: XnlWarning[] = [];
  const onWarning = (warning: XnlWarning) => {
    warnings.push(warning);
    options.onWarning?.(warning);
  };
  const parser = new Parser(text, { ...options, onWarning });
  const nodes: XnlElement[] = [];
  for (let node = parser.next(); node; node = parser.next()) nodes.push(node);
  return new XnlDocument(nodes, warnings);
}

/** Reads exactly one element. */
export function parseSingle(text: string, options: ParseOptions = {}): XnlElement {
  const parser = new Parser(text, options);
  const element = parser.next() ?? parser.missing();
  parser.end();
  return element;
}

export interface ParseUniqueOptions extends ParseOptions {
  readonly metadata?: XnlMap;
  readonly attributes?: XnlMap;
}

/** Reads a sequence of elements as the named children of one element. */
export function parseUnique(
  name: string,
  text: string,
  { metadata, attributes, ...options }: ParseUniqueOptions = {},
): DataElement {
  const extend = new Parser(text, options).extend(name);
  return new DataElement(name, {
    ...(metadata ? { metadata } : {}),
    ...(attributes ? { attributes } : {}),
    extend,
  });
}
