// Tests with the real loop, tools and permissions, and a scripted model. A cassette records once and replays later.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { query, tool } from '@robota-sdk/agent-sdk';
import { call, runTool, scriptedModel, temporaryProject } from '@robota-sdk/agent-sdk/testing';
import { z } from 'zod';

test('plan mode writes nothing', async () => {
  await using project = await temporaryProject({ 'README.md': '# App' });
  const model = scriptedModel([call('Write', { file_path: 'NEWS.md', content: 'x' }), 'Could not write.']);
  const options = { cwd: project.path, model, permissionMode: 'plan', sources: 'none' } as const;
  const { status, denials } = await query('Write the news', options).result;
  assert.deepEqual([status, denials.length, model.requests.length], ['completed', 1, 2]);
});

test('a tool alone', async () => {
  const double = tool({
    name: 'double',
    description: 'Doubles.',
    input: z.object({ value: z.number() }),
    execute: ({ value }) => value * 2,
  });
  assert.equal((await runTool(double, { value: 21 })).text, '42');
});

test('a recorded answer', async () => {
  await using project = await temporaryProject({});
  const cassette = { file: `${project.path}/build.cassette`, mode: 'auto' } as const;
  const model = scriptedModel(['It uses esbuild.']);
  for (const _ of [1, 2])
    assert.match(await query('Explain the build', { cwd: project.path, model, cassette }), /esbuild/);
  assert.equal(model.requests.length, 1);
});
