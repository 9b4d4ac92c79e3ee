import {
  type ExplainContext,
  errorMessage,
  explainSettings,
  type InteractiveSession,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readableValue,
  type SettingReport,
  settingsSchema,
  type ThinkingLevel,
  thinkingLevels,
} from '@robota-sdk/agent-sdk/front-end';
import type { SettingItem } from '@robota-sdk/agent-tui';
import type { OpenPanel, Stage } from '../stage/stage.ts';
import { LabelledField } from './ask-text.ts';
import { SettingsPanel } from './settings-panel.ts';

/** Shows the settings with where each comes from; changes are those of the user, for all projects. */
export async function openSettingsScreen(stage: Stage, session: InteractiveSession): Promise<void> {
  const fields = settingFields();
  const place: ExplainContext = session.place;
  const reports = await explainSettings(
    fields.map(({ key }) => key.split('.')),
    place,
  );
  const panel: SettingsPanel = new SettingsPanel({
    stage,
    items: fields.map((field, index) => itemOf(field, reports[index], stage)),
    onChange: (key, value) => {
      const field = fields.find((each) => each.key === key);
      if (field) void change({ stage, session, panel }, field, value);
    },
    onClose: () => open.close(),
  });
  const open: OpenPanel = stage.openScreen(panel);
}

interface Field {
  readonly key: string;
  readonly schema: JsonObject;
}

/** Frequently changed settings come first; the rest in the order of the schema. */
const first = [
  'model',
  'thinking',
  'language',
  'theme',
  'view',
  'vim',
  'notifications',
  'hideThinking',
  'permissions.defaultMode',
];
/** Older names, secrets and what is no single value. */
const left =
  /^(?:\$schema|defaultModel|defaultThinkingLevel|defaultTrustLevel|provider|models|apiKeys|baseUrls|cloudAccounts|env|hooks|mcp\w*)(?:\.|$)/;

/** Every setting with a single value. */
function settingFields(): readonly Field[] {
  const all = fieldsOf(settingsSchema(), '').filter(({ key }) => !left.test(key));
  const rank = ({ key }: Field) => (first.includes(key) ? first.indexOf(key) : first.length);
  return all.sort((a, b) => rank(a) - rank(b));
}

function fieldsOf(schema: JsonObject, prefix: string): Field[] {
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, inner]) => {
    if (!isJsonObject(inner)) return [];
    const key = `${prefix}${name}`;
    return isSingle(inner) ? [{ key, schema: inner }] : fieldsOf(inner, `${key}.`);
  });
}

function isSingle(schema: JsonObject): boolean {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((branch) => isJsonObject(branch) && isSingle(branch));
  return type === 'string' || type === 'boolean' || type === 'number' || type === 'integer';
}

const languages = ['(not set)', 'en', 'ko', 'ja', 'zh', 'de', 'es', 'fr'];
const notSet = '(not set)';

function itemOf({ key, schema }: Field, report: SettingReport | undefined, stage: Stage): SettingItem {
  const value = textOf(report?.value);
  const values = valuesOf(key, schema);
  const format = (text: string) => (/^\d+$/.test(text) ? readableValue(key, Number(text)) : text);
  const item = { id: key, label: key, value, format, description: describe(schema, report) };
  if (values) return { ...item, values };
  return {
    ...item,
    submenu: (before, done) =>
      new LabelledField(stage, {
        label: `${key} (empty removes it):`,
        value: before === notSet ? '' : before,
        onEnd: (text) => done(text === undefined ? undefined : text.trim() === '' ? notSet : text.trim()),
      }),
  };
}

function valuesOf(key: string, schema: JsonObject): readonly string[] | undefined {
  if (key === 'language') return languages;
  if (key === 'theme') return undefined;
  if (schema.type === 'boolean') return ['true', 'false'];
  const { enum: choices } = schema;
  return Array.isArray(choices) ? choices.map(String) : undefined;
}

function describe(schema: JsonObject, report: SettingReport | undefined): string {
  const said = typeof schema.description === 'string' ? schema.description : '';
  const origin = report?.sources.find(({ state }) => state === 'counts' || state === 'joined');
  const place =
    origin === undefined
      ? undefined
      : origin.line === undefined
        ? origin.source
        : `${origin.source}:${origin.line}`;
  const weaker = report?.sources
    .filter((source) => source !== origin)
    .map(({ source, state }) => `${source} (${state})`);
  return [
    said,
    place === undefined ? 'From: built in.' : `From: ${place}.`,
    ...(weaker && weaker.length > 0 ? [`Also: ${weaker.join(', ')}.`] : []),
  ].join(' ');
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return notSet;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface Scene {
  readonly stage: Stage;
  readonly session: InteractiveSession;
  readonly panel: SettingsPanel;
}

/** By the same way as `/config` in line mode, so that it is checked, written and put in force alike. */
async function change({ stage, session, panel }: Scene, field: Field, value: string): Promise<void> {
  const { key } = field;
  const words = value === notSet ? `unset ${key}` : `set ${key} ${value}`;
  try {
    const result = await session.executeCommand('config', `${words} --scope user`);
    const isInForce = result?.success === true && (await putInForce(stage, session, { key, value }));
    panel.lastLine.tell(`${result?.message ?? ''}${isInForce ? ' Applied to this session.' : ''}`);
  } catch (thrown) {
    panel.lastLine.tell(errorMessage(thrown));
  }
  const [report] = await explainSettings([key.split('.')], session.place).catch(() => []);
  if (report) panel.setValue(key, textOf(report.value), describe(field.schema, report));
  stage.refresh();
}

/** Applies a setting to the running session if possible; resolves to true if so. */
async function putInForce(
  stage: Stage,
  session: InteractiveSession,
  { key, value }: { readonly key: string; readonly value: string },
): Promise<boolean> {
  if (key === 'theme') await stage.theme?.setSetting(value === notSet ? undefined : value);
  const level = thinkingLevels.find((known): known is ThinkingLevel => known === value);
  if (key !== 'thinking' || level === undefined) return false;
  await session.setThinking(level);
  return true;
}
