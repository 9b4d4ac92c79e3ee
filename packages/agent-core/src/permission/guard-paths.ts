import path from 'node:path';
import {
  baseName,
  fileOperands,
  isInWorkspace,
  literalOf,
  type PlacedCommand,
  pathArguments,
  placesOf,
  type ShellWord,
  uploadArguments,
} from '@robota-sdk/agent-shell';
import type { PermissionPolicy } from './policy/permission.ts';
import { protectedByGlob, protectedPart } from './protected-paths.ts';

/** A file that a wildcard does not cover, the command's action on it, and its names in rules. */
export interface GuardedPath {
  readonly what: string;
  readonly names: readonly string[];
}

/** Devices that store nothing. */
export const harmlessDevices = /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)$/;
const secretName =
  /^\.env(?:\..*)?$|^\.(?:git-credentials|htpasswd|netrc|npmrc|pgpass|pypirc)$|^id_(?:dsa|ecdsa|ed25519|rsa)|\.(?:jks|kdbx|key|keystore|p12|pem|pfx|ppk)$|^credentials(?:\.\w+)?$|^secrets?\.\w+$/i;
const exampleName = /\.(?:dist|example|sample|template)$/i;

/** Finds a file that a command writes, receives or sends, and that a matching wildcard still does not cover. */
export function guardedPath(policy: PermissionPolicy, placed: PlacedCommand): GuardedPath | undefined {
  // `python3 -m pip install --target /x`: arguments for the inner program name files too.
  for (const command of [placed.command, ...(placed.command.reaches ?? [])]) {
    const one = { ...placed, command };
    const found =
      writtenPath(policy, one) ?? givenPath(policy, one) ?? sentPath(policy, one) ?? linkedPath(policy, one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A file among a command's arguments that may be protected or outside the workspace. */
function writtenPath(policy: PermissionPolicy, placed: PlacedCommand): GuardedPath | undefined {
  for (const { kind, word } of fileOperands(placed.command)) {
    if (kind !== 'write') continue;
    const places = placesOf(word, placed, policy);
    if (places === undefined)
      return { what: `writes to ${word.text}, known only when it runs`, names: [word.text] };
    const hasGlob = word.pieces.some((piece) => piece.kind === 'glob');
    for (const { path: file, real } of places) {
      const part =
        protectedPart(real, policy) ?? (hasGlob ? protectedByGlob(file, policy.workspace) : undefined);
      if (part !== undefined) return { what: `writes to ${part}, which is protected`, names: [part] };
      if (harmlessDevices.test(file) || isInWorkspace(real, policy.workspace)) continue;
      return {
        what: `writes to ${file}, outside the workspace`,
        names: [word.text, ...ancestorsOf(file)],
      };
    }
  }
  return undefined;
}

/** A path argument of a program that may read or write it. */
function givenPath(policy: PermissionPolicy, placed: PlacedCommand): GuardedPath | undefined {
  for (const { word, isOutput, mayBeOutput } of pathArguments(placed.command)) {
    const places = placesOf(atHome(word, policy), placed, policy);
    if (places === undefined) {
      if (!isOutput) continue;
      return { what: `writes to ${word.text}, known only when it runs`, names: [word.text] };
    }
    for (const { path: file, real } of places) {
      const part = isOutput || mayBeOutput ? protectedPart(real, policy) : undefined;
      if (part !== undefined)
        return { what: `${isOutput ? 'writes' : 'may write'} to ${part}, which is protected`, names: [part] };
      if (harmlessDevices.test(file) || isInWorkspace(real, policy.workspace)) continue;
      return { what: `is given ${file}, outside the workspace`, names: [word.text, ...ancestorsOf(file)] };
    }
  }
  return undefined;
}

/** A file with secrets or outside the workspace, for a program that sends files elsewhere. */
function sentPath(policy: PermissionPolicy, placed: PlacedCommand): GuardedPath | undefined {
  for (const word of uploadArguments(placed.command)) {
    for (const { path: file, real } of placesOf(atHome(word, policy), placed, policy) ?? []) {
      const name = path.posix.basename(real);
      if (secretName.test(name) && !exampleName.test(name))
        return { what: `may send ${name}, which may hold secrets`, names: [word.text] };
      if (harmlessDevices.test(file) || isInWorkspace(real, policy.workspace)) continue;
      return { what: `may send ${file}, outside the workspace`, names: [word.text, ...ancestorsOf(file)] };
    }
  }
  return undefined;
}

/** The target of a link, which later commands of the line would read or write by the link's name. */
function linkedPath(policy: PermissionPolicy, placed: PlacedCommand): GuardedPath | undefined {
  const links = fileOperands(placed.command);
  if (baseName(placed.command.words[0]) !== 'ln') return undefined;
  const isSymbolic = placed.command.words.some(({ text }) => /^-[A-Za-z]*s|^--sy/.test(text));
  const made = links
    .filter(({ kind }) => kind === 'write')
    .flatMap(({ word }) => placesOf(word, placed, policy) ?? []);
  const directories = made.map(({ path: file, real }) =>
    policy.files?.look(real)?.kind === 'directory' ? file : path.posix.dirname(file),
  );
  const from = isSymbolic && directories.length > 0 ? { ...placed, directories } : placed;
  for (const { kind, word } of links) {
    if (kind === 'write' && links.length > 1) continue;
    const places = placesOf(word, from, policy);
    if (places === undefined)
      return { what: `links to ${word.text}, known only when it runs`, names: [word.text] };
    for (const { path: file, real } of places) {
      const part = protectedPart(real, policy);
      if (part !== undefined) return { what: `links to ${part}, which is protected`, names: [part] };
      if (isInWorkspace(real, policy.workspace)) continue;
      return { what: `links to ${file}, outside the workspace`, names: [word.text, ...ancestorsOf(file)] };
    }
  }
  return undefined;
}

/** Programs expand a tilde that the shell left unexpanded. */
function atHome(word: ShellWord, { workspace }: PermissionPolicy): ShellWord {
  const text = literalOf(word);
  if (text === undefined || !/^~(?:\/|$)/.test(text)) return word;
  return { ...word, pieces: [{ kind: 'text', value: workspace.home + text.slice(1) }] };
}

function ancestorsOf(file: string): string[] {
  const names = file.split('/').filter((name) => name !== '');
  return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
}
