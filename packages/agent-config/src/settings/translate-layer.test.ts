import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeProblems, type JsonObject, type Problem } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import type { SettingsLayer } from '../options/settings.ts';
import { translateLayer } from './translate-layer.ts';

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
    expect(translated({ defaultModel: 'sonnet', theme: 'dark', lastChangelogVersion: '0.73.1' })).toEqual({
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
});
