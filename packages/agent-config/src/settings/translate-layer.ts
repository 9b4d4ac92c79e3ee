import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  givenFields,
  type JsonValue,
  type KeyPath,
  type Problem,
  sentence,
  warning,
} from '@robota-sdk/agent-core';
import type { SettingsLayer } from '../options/settings.ts';
import { translateClaude } from './translate-claude.ts';

/** Tool names of pi and rab. */
const toolNames: Readonly<Record<string, string>> = {
  read: 'Read',
  write: 'Write',
  edit: 'Edit',
  bash: 'Bash',
  grep: 'Grep',
  find: 'Glob',
  ls: 'Glob',
};

/**
 * Says what settings of other tools mean in our words. Vendor and model of pi and rab stay apart until all files are
 * merged, because a project may change the one and leave the other to the user.
 */
export function translateLayer(layer: SettingsLayer, problems: Problem[]): SettingsLayer {
  if (layer.dialect === 'claude') return translateClaude(layer, problems);
  if (layer.dialect !== 'pi' && layer.dialect !== 'rab') return layer;
  const { defaultModel, defaultProvider, defaultThinkingLevel, tools, excludeTools, ...others } = layer.value;
  const { theme, steeringMode, followUpMode, hideThinkingBlock, compaction, retry, ...unread } = others;
  const value: Record<string, JsonValue> = {
    foreignModel: givenFields({ vendor: defaultProvider, id: defaultModel }),
    ...givenFields({
      thinking: defaultThinkingLevel,
      tools: tools && renamed(tools),
      excludeTools: excludeTools && renamed(excludeTools),
      hideThinking: hideThinkingBlock,
    }),
    // Same meaning in pi and rab.
    ...givenFields({ theme, steeringMode, followUpMode, compaction, retry }),
  };
  const asked = Object.keys(unread).filter((key) => asksForSomething(unread[key]));
  reportUnread(layer, asked, problems);
  return { ...layer, value, unread: Object.keys(unread) };
}

/** Names of settings in files of pi and rab, by ours, for messages about them. */
const foreignNames: Readonly<Record<string, string>> = {
  thinking: 'defaultThinkingLevel',
  hideThinking: 'hideThinkingBlock',
};

/** The path of a setting as its file writes it. */
export function pathInFile({ dialect }: SettingsLayer, path: KeyPath): KeyPath {
  const [first, ...rest] = path;
  const written = dialect === 'pi' || dialect === 'rab' ? foreignNames[String(first)] : undefined;
  return written === undefined ? path : [written, ...rest];
}

/** An empty list or object asks for nothing. */
function asksForSomething(value: JsonValue | undefined): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length > 0;
}

/** Notes of pi to itself, and looks: nothing that a user would miss. */
const unimportant: ReadonlySet<string> = new Set([
  'lastChangelogVersion',
  'collapseChangelog',
  'quietStartup',
  'verbose',
]);

/** Names the settings and extensions that have no effect, in one warning per file. */
function reportUnread(layer: SettingsLayer, keys: readonly string[], problems: Problem[]): void {
  const folder = join(dirname(layer.source), 'extensions');
  const unused = [
    ...keys.filter((key) => !unimportant.has(key)),
    ...(layer.dialect === 'pi' && !layer.fromProject && existsSync(folder) ? ['the extensions folder'] : []),
  ];
  if (unused.length === 0) return;
  problems.push(
    warning(
      'setting.untranslated',
      sentence`Robota ignores these settings of ${{ tool: layer.dialect }}: ${{ settings: unused.join(', ') }}.`,
      { source: { file: layer.source }, hint: 'See docs/settings.md for what it reads of pi and rab.' },
    ),
  );
}

/** Tools we do not have can neither be offered nor left out. */
function renamed(names: JsonValue): JsonValue {
  if (!Array.isArray(names)) return names;
  return [...new Set(names.flatMap((name) => toolNames[String(name)] ?? []))];
}
