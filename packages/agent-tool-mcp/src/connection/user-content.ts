import type { CallToolResult, ContentBlock, ResourceContents } from '@modelcontextprotocol/client';
import { parseJson, type ToolOutput, type UserContent } from '@robota-sdk/agent-core';

/** Vendors refuse larger images. */
const maxImageBytes = 5 * 1024 * 1024;
const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** A server's result as the output of a tool. */
export function toolOutput(result: CallToolResult): ToolOutput {
  const blocks = (result.content ?? []).flatMap(blockContent);
  const structured = structuredText(result);
  const content = joinTexts([
    ...blocks,
    ...(structured === undefined ? [] : [{ type: 'text' as const, text: structured }]),
  ]);
  const image = content.find((block) => block.type === 'image');
  return {
    content: content.length === 0 ? [{ type: 'text', text: withoutContent(result) }] : content,
    ...(result.isError ? { isError: true } : {}),
    ...(image && !result.isError && content.length === 1
      ? { display: { kind: 'image', mimeType: image.mimeType, data: image.data } }
      : {}),
  };
}

/** A server that does not keep to the protocol may still have sent something. */
function withoutContent({ content, structuredContent, isError, _meta, ...rest }: CallToolResult): string {
  const said = Object.entries(rest).filter(([key]) => key !== 'resultType');
  if (said.length === 0) return 'Done; the server returned nothing.';
  return `The server answered in its own format: ${JSON.stringify(Object.fromEntries(said))}`;
}

/** One block of a result or of a prompt. */
export function blockContent(block: ContentBlock): readonly UserContent[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type === 'image') return [imageOr(block.mimeType, block.data, 'image')];
  if (block.type === 'audio') return [note(`audio of type ${block.mimeType}`, block.data)];
  if (block.type === 'resource') return resourceContent(block.resource);
  const { uri, name, title, description, mimeType } = block;
  const parts = [
    `Resource ${title ?? name}: ${uri}`,
    mimeType && `(${mimeType})`,
    description && `– ${description}`,
  ];
  return [{ type: 'text', text: parts.filter(Boolean).join(' ') }];
}

/** The content of a resource: text, an image, or the reason why neither can be shown. */
export function resourceContent(resource: ResourceContents): readonly UserContent[] {
  const { uri, mimeType = 'application/octet-stream' } = resource;
  if ('text' in resource && typeof resource.text === 'string')
    return [{ type: 'text', text: `Resource ${uri}:\n${resource.text}` }];
  const data = 'blob' in resource && typeof resource.blob === 'string' ? resource.blob : '';
  if (mimeType.startsWith('text/') || mimeType === 'application/json')
    return [{ type: 'text', text: `Resource ${uri}:\n${Buffer.from(data, 'base64').toString('utf8')}` }];
  return [
    { type: 'text', text: `Resource ${uri}:` },
    imageOr(mimeType, data, `resource of type ${mimeType}`),
  ];
}

/** Texts that stand next to each other as one, a line apart. */
export function joinTexts(blocks: readonly UserContent[]): readonly UserContent[] {
  const joined: UserContent[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last?.type === 'text' && block.type === 'text')
      joined[joined.length - 1] = { type: 'text', text: `${last.text}\n${block.text}` };
    else joined.push(block);
  }
  return joined;
}

function imageOr(mimeType: string, data: string, what: string): UserContent {
  const isImage = imageTypes.includes(mimeType) && bytesOf(data) <= maxImageBytes;
  return isImage ? { type: 'image', mimeType, data } : note(what, data);
}

function note(what: string, data: string): UserContent {
  return { type: 'text', text: `[${what}, ${bytesOf(data)} bytes, which cannot be shown to a model]` };
}

function bytesOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}

/** Servers should say structured content as text as well; only where they did not does it come as JSON. */
function structuredText({ structuredContent, content = [] }: CallToolResult): string | undefined {
  if (structuredContent === undefined) return undefined;
  const json = JSON.stringify(structuredContent);
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const isSaid =
    texts.some((text) => sameJson(text, json)) ||
    isWrapped(structuredContent, [texts.join(''), texts.join('\n'), texts, content]);
  return isSaid ? undefined : json;
}

/** True if an object is nothing but a name for one of some values, as of the text of a file. */
function isWrapped(structure: unknown, values: readonly unknown[]): boolean {
  const [value, ...others] = Object.values(structure ?? {});
  return others.length === 0 && values.some((each) => JSON.stringify(each) === JSON.stringify(value));
}

function sameJson(text: string, json: string): boolean {
  return JSON.stringify(parseJson(text)) === json;
}
