import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { UserContent } from '@robota-sdk/agent-sdk/front-end';

/** A prompt of an editor as a session takes it. */
export interface EditorPrompt {
  /** The typed text, with named files as mentions. */
  readonly text: string;
  /** Images. */
  readonly content: readonly UserContent[];
  /** Content added by the editor: the text of resources. */
  readonly attachments: readonly UserContent[];
  /** Content that could not be used, for the user. */
  readonly problems: readonly string[];
}

/** Reads the blocks of a prompt: text, images, resources and links to them. */
export function readPrompt(blocks: readonly ContentBlock[], cwd: string): EditorPrompt {
  const texts: string[] = [];
  const content: UserContent[] = [];
  const attachments: UserContent[] = [];
  const problems: string[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        break;
      case 'image':
        content.push({ type: 'image', mimeType: block.mimeType, data: block.data });
        break;
      case 'resource_link':
        texts.push(linkText(block, cwd));
        break;
      case 'resource': {
        const { resource } = block;
        texts.push(nameOf(resource.uri, cwd));
        const image = imageOf(resource);
        if (image) content.push(image);
        else if ('text' in resource)
          attachments.push({
            type: 'text',
            text: `<resource uri="${inertUri(resource.uri)}">\n${resource.text}\n</resource>\n`,
          });
        else problems.push(`${resource.uri} is neither text nor an image, and was not sent.`);
        break;
      }
      default:
        problems.push(`Robota cannot listen to ${block.type}; it was not sent.`);
    }
  }
  return { text: joined(texts), content, attachments, problems };
}

/** A file becomes a mention, which is read by the rules of mentions; of anything else the model gets the address. */
function linkText({ uri, name }: { readonly uri: string; readonly name: string }, cwd: string): string {
  const path = pathOf(uri);
  if (path === undefined || /["\p{C}]/u.test(path)) return `[${inertName(name)}](${inertUri(uri)})`;
  const shown = shortPath(path, cwd);
  return plainPath.test(shown) ? `@${shown}` : `@"${shown}"`;
}

/** Names of files and URLs are not typed: in the text they must not read as commands or mentions. */
const plainPath = /^[\p{L}\p{N}_./~-][\p{L}\p{N}_./~+-]*$/u;
const plainName = /^[\p{L}\p{N}_.][\p{L}\p{N}_./ +-]*$/u;

function nameOf(uri: string, cwd: string): string {
  const path = pathOf(uri);
  const shown = path === undefined ? '' : shortPath(path, cwd);
  return plainName.test(shown) ? shown : inertUri(uri);
}

function inertName(name: string): string {
  return name.replaceAll(/[\p{C}\s[\]]+/gu, ' ').replaceAll('@', '\\@');
}

function inertUri(uri: string): string {
  const text = Buffer.from(uri).toString();
  return text.replaceAll(/^\/|[^\w\-.~:/?#[\]$&'()*+,;=%]/gu, encodeURIComponent).replaceAll('!', '%21');
}

function imageOf(resource: Extract<ContentBlock, { type: 'resource' }>['resource']): UserContent | undefined {
  const { mimeType } = resource;
  if (!('blob' in resource) || !mimeType?.startsWith('image/')) return undefined;
  return { type: 'image', mimeType, data: resource.blob };
}

function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file://') ? fileURLToPath(uri.replace(/[?#].*$/s, '')) : undefined;
  } catch {
    return undefined;
  }
}

function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') ? path : short;
}

/** Editors cut a prompt where something was put in; the parts belong to one text. */
function joined(texts: readonly string[]): string {
  return texts.reduce((text, part) => {
    const needsSpace = text !== '' && !/\s$/.test(text) && !/^[\s.,;:!?)\]]/.test(part);
    return needsSpace ? `${text} ${part}` : text + part;
  }, '');
}
