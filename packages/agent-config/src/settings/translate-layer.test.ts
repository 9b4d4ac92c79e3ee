import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeProblems, type JsonObject, type Problem } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import type { SettingsLayer } from '../options/settings.ts';
import { translateLayer } from './translate-layer.ts';
import { validateLayer } from './validate-layer.ts';

describe('settings of pi', () => {
  it('that have no counterpart are named in one warning, without notes of pi to itself', () => {
    proves('P-55');
    const folder = mkdtempSync(join(tmpdir(), 'robota-pi-'));
    const translated = (value: JsonObject) => {
      const problems: Problem[] = [];
      const source = join(folder, 'settings.json');
      const text = JSON.stringify(value);
      const layer: SettingsLayer = { source, text, value, dialect: 'pi', fromProject: false };
      return { value: translateLayer(layer, problems).value, said: describeProblems(problems) };
    };
    const silent = { lastChangelogVersion: '0.73.1', packages: [], thinkingBudgets: {} };
    expect(translated({ defaultModel: 'sonnet', theme: 'dark', ...silent })).toEqual({
      value: { foreignModel: { id: 'sonnet' }, theme: 'dark' },
      said: [],
    });
    mkdirSync(join(folder, 'extensions'));
    const { said } = translated({ packages: ['npm:x'], shellCommandPrefix: 'set -e', followUpMode: 'all' });
    expect(said).toEqual([
      expect.stringContaining(
        'ignores these settings of pi: packages, shellCommandPrefix, the extensions folder.',
      ),
    ]);
  });

  it('that do not fit are named as they stand in the file, with the line', () => {
    const value = { defaultThinkingLevel: 'ultra', hideThinkingBlock: 'yes', theme: 7 };
    const text = JSON.stringify(value, null, 1);
    const problems: Problem[] = [];
    const layer: SettingsLayer = { source: 's.json', text, value, dialect: 'rab', fromProject: false };
    validateLayer(translateLayer(layer, problems), { problems, mayRefuse: true });
    expect(describeProblems(problems)).toEqual([
      expect.stringContaining('s.json:2: defaultThinkingLevel: expected one of'),
      expect.stringContaining('s.json:3: hideThinkingBlock: expected'),
      expect.stringContaining('s.json:4: theme: expected'),
    ]);
  });
});
