/** A value without parts. */
export type XnlLiteral = string | number | boolean | null;

/** Values of metadata, attributes and arrays. */
export type XnlValue = XnlLiteral | readonly XnlValue[] | XnlMap;

/** Named values. Those a parser returns have no prototype, so that a key such as `__proto__` is a key like any other. */
export interface XnlMap {
  readonly [key: string]: XnlValue;
}

/** Children that are found by their tag. */
export interface XnlExtend {
  readonly order: readonly string[];
  readonly children: { readonly [tag: string]: XnlElement };
}

export interface DataElementFields {
  readonly metadata?: XnlMap;
  readonly attributes?: XnlMap;
  readonly body?: readonly XnlNode[];
  readonly extend?: XnlExtend;
}

/** `<tag …>`: metadata and up to three blocks. A class, so that no data can pass for an element. */
export class DataElement {
  readonly kind = 'DataElement';
  readonly tag: string;
  readonly metadata: XnlMap;
  declare readonly attributes?: XnlMap;
  declare readonly body?: readonly XnlNode[];
  declare readonly extend?: XnlExtend;

  constructor(tag: string, { metadata = {}, attributes, body, extend }: DataElementFields = {}) {
    this.tag = tag;
    this.metadata = metadata;
    if (attributes) this.attributes = attributes;
    if (body) this.body = body;
    if (extend) this.extend = extend;
  }
}

export interface TextElementFields {
  readonly metadata?: XnlMap;
  readonly attributes?: XnlMap;
  readonly text?: string;
  /** The marker in the closing tag; replaced if the text contains it. */
  readonly textMarker?: string;
}

/** `<tag … #marker>text</#marker>`. */
export class TextElement {
  readonly kind = 'TextElement';
  readonly tag: string;
  readonly metadata: XnlMap;
  declare readonly attributes?: XnlMap;
  readonly text: string;
  declare readonly textMarker?: string;

  constructor(tag: string, { metadata = {}, attributes, text = '', textMarker }: TextElementFields = {}) {
    this.tag = tag;
    this.metadata = metadata;
    if (attributes) this.attributes = attributes;
    this.text = text;
    if (textMarker) this.textMarker = textMarker;
  }
}

/** `<!-- … -->`: can be written; parsers drop it. */
export class Comment {
  readonly kind = 'Comment';
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

export type XnlElement = DataElement | TextElement;

/** Allowed content of an element's body. */
export type XnlNode = XnlValue | XnlElement | Comment;

/** Something that is legal and probably not meant. */
export interface XnlWarning {
  readonly code: 'DUPLICATE_CHILD';
  readonly parentName: string;
  readonly childName: string;
  readonly message: string;
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

/** A sequence of elements, and what its reader noticed. */
export class XnlDocument {
  readonly nodes: readonly (XnlElement | Comment)[];
  readonly warnings: readonly XnlWarning[];

  constructor(nodes: readonly (XnlElement | Comment)[], warnings: readonly XnlWarning[] = []) {
    this.nodes = nodes;
    this.warnings = warnings;
  }
}
