// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such texts are what is tested here.
import { mkdir, symlink } from 'node:fs/promises';
import { relative } from 'node:path';
import { askTrust, referencedFiles, scriptsOf } from '@robota-sdk/agent-config';
import { describeProblems, silentInterface } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { loadConfig } from './load-config.ts';

describe('referencedFiles', () => {
  it.each([
    'sh .claude/skills/k/run.sh',
    'sh ${PROJECT_DIR}/.claude/skills/k/run.sh',
    'sh "$CLAUDE_PROJECT_DIR"/.claude/skills/k/run.sh',
    'sh ${CLAUDE_SKILL_DIR}/run.sh',
    'sh "$CLAUDE_SKILL_DIR/run.sh"',
    'cd .claude && sh skills/k/run.sh',
    'cd .claude; cd skills/k && ./run.sh',
    "(cd '.claude/skills' ; sh k/run.sh)",
    'cd -- .claude/skills && cd ../skills && sh k/run.sh',
    'cd "${CLAUDE_SKILL_DIR}" && sh run.sh',
    'D=.claude/skills/k; sh $D/run.sh',
    'D="$PROJECT_DIR/.claude" && sh "${D}/skills/k/run.sh"',
    'env -C .claude/skills sh k/run.sh',
    'bash -c "cd .claude/skills/k && sh run.sh"',
  ])('finds the script in: %s', async (command) => {
    const place = await makeTestProject();
    await place.put('.claude/skills/k/run.sh', 'echo');
    await place.put('unrelated.sh', 'echo');
    const directory = `${place.cwd}/.claude/skills/k`;
    const found = referencedFiles(command, place.cwd, { CLAUDE_SKILL_DIR: directory });
    expect(found.map((file) => relative(place.cwd, file))).toEqual(['.claude/skills/k/run.sh']);
  });

  it('never fails, and finds nothing outside of the repository', async () => {
    const place = await makeTestProject();
    await place.put('~/own.sh', 'echo');
    expect(referencedFiles(`cd ${place.home} && sh own.sh; sh ../home/own.sh`, place.cwd)).toEqual([]);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(referencedFiles(text, place.cwd)).toEqual([]);
      }),
    );
  });

  it('reports a command that cannot be followed', () => {
    expect(scriptsOf('cd a;'.repeat(50), '/').refusal).toContain('too long');
    expect(scriptsOf('x '.repeat(20_000), '/').refusal).toContain('too long');
    expect(scriptsOf('cd a && sh b', '/').refusal).toBeUndefined();
  });
});

describe('what was trusted', () => {
  const skill = (command: string) => `---\ndescription: d\n---\n!\`${command}\``;
  const openQuestions = async (place: Awaited<ReturnType<typeof makeTestProject>>, yes: boolean) => {
    const names: string[] = [];
    const config = await loadConfig(place.cwd, {
      host: place.host,
      askTrust: async (items) => {
        names.push(...items.map(({ content }) => content));
        return { trust: yes ? items : [], never: [] };
      },
    });
    return { names, config };
  };

  it.each([
    'sh ${CLAUDE_SKILL_DIR}/run.sh',
    'sh ${PROJECT_DIR}/.claude/skills/k/run.sh',
    'cd .claude && sh skills/k/run.sh',
    'sh .claude/skills/k/*.sh',
  ])('asks again when the script behind a skill changed: %s', async (command) => {
    const place = await makeTestProject();
    await place.put('.claude/skills/k/SKILL.md', skill(command));
    await place.put('.claude/skills/k/run.sh', 'echo good');
    const { config, names } = await openQuestions(place, true);
    expect(names).toEqual([command]);
    expect((await openQuestions(place, false)).names).toEqual([]);
    const subject = { kind: 'skill-shell', name: 'k', content: command } as const;
    expect(await config.trust?.isUnchanged(subject)).toBe(true);
    await place.put('.claude/skills/k/run.sh', 'echo bad');
    expect(await config.trust?.isUnchanged(subject)).toBe(false);
    expect((await openQuestions(place, false)).names).toEqual([command]);
  });

  it.each([
    ['node tools/guard', 'tools/guard.js'],
    ['node tools', 'tools/index.js'],
    ['node tools', 'tools/package.json'],
    ['node pkg', 'pkg/lib/start.js'],
    ['python3 -m tools.guard', 'tools/guard.py'],
    ['python3 -m tools.guard', 'tools/__init__.py'],
    ['python3 -m tools', 'tools/__main__.py'],
    ['python3 tools', 'tools/__main__.py'],
    ['node -r ./hook app.js', 'hook.js'],
    ['node -r./hook app.js', 'hook.js'],
    ['node --require=./hook app.js', 'hook.cjs'],
    ['node --import ./hook app.js', 'hook.mjs'],
    ['node --loader ./hook app.js', 'hook.mjs'],
    ['sh tools/*.sh', 'tools/b.sh'],
    ['sh t?ols/[ab].sh', 'tools/b.sh'],
    ['sh tools/{a,b}.sh', 'tools/b.sh'],
    ['sh {tools,x}/{a,b{1..3}}.sh', 'tools/b2.sh'],
    ['make guard', 'Makefile'],
    ['make -C sub guard', 'sub/Makefile'],
    ['cd sub && make', 'sub/GNUmakefile'],
    ['npm run guard', 'package.json'],
    ['npm --prefix sub test', 'sub/package.json'],
    ['just guard', 'justfile'],
    ['cargo run', 'build.rs'],
    ['bash -c "node tools/guard"', 'tools/guard.js'],
    ['npx guard', 'node_modules/.bin/guard'],
    ['npx --no-install guard@1.2.0 --fix', 'node_modules/.bin/guard'],
    ['npx @scope/guard', 'node_modules/.bin/guard'],
    ['npm exec -- guard', 'node_modules/.bin/guard'],
    ['bunx guard', 'node_modules/.bin/guard'],
    ['pnpm exec guard', 'node_modules/.bin/guard'],
    ['yarn guard', 'node_modules/.bin/guard'],
    ['yarn guard', 'node_modules/.bin/guard.cmd'],
    ['cd sub/deep && npx guard', 'sub/node_modules/.bin/guard'],
    ['cd sub/deep && npx guard', 'node_modules/.bin/guard'],
  ])('asks again when what "%s" runs changed: %s', async (command, file) => {
    const place = await makeTestProject();
    await place.put('.robota/settings.json', { hooks: { SessionStart: [{ command }] } });
    await place.put('pkg/package.json', { main: 'lib/start' });
    await place.put(file, file.endsWith('.json') ? '{"name":"good"}' : 'good');
    await openQuestions(place, true);
    expect((await openQuestions(place, false)).names).toEqual([]);
    await place.put(file, file.endsWith('.json') ? '{"name":"bad"}' : 'bad');
    expect((await openQuestions(place, false)).names).toEqual([command]);
  });

  it.each([
    ['node tools/guard', 'tools/guard/index.js'],
    ['sh tools/*.sh', 'tools/new.sh'],
    ['make guard', 'GNUmakefile'],
    ['python3 -m a.b', 'a/__init__.py'],
  ])('asks again when "%s" finds something new: %s', async (command, file) => {
    const place = await makeTestProject();
    await place.put('.robota/settings.json', { hooks: { SessionStart: [{ command }] } });
    await place.put('tools/a.sh', 'good');
    await openQuestions(place, true);
    await place.put(file, 'bad');
    expect((await openQuestions(place, false)).names).toEqual([command]);
  });

  it.each([
    ['sh "$(cat which)"', true],
    ['sh `cat which`', true],
    ['sh $UNKNOWN/run.sh', true],
    ['find tools -name run -exec {} ;', true],
    ['find tools -name run -execdir sh {} +', true],
    ['ls tools | xargs -n1 sh', true],
    ['ls tools | /usr/bin/parallel sh', true],
    ['bash -c "ls tools | xargs -n1 sh"', true],
    ['find tools -name run', false],
    ['sh tools/run.sh', false],
    ['sh $CLAUDE_PROJECT_DIR/run.sh', false],
  ])('says where it cannot be told what runs: %s', async (command, isPartial) => {
    const place = await makeTestProject();
    await place.put('.robota/settings.json', { hooks: { SessionStart: [{ command }] } });
    let shown = '';
    await loadConfig(place.cwd, {
      host: place.host,
      askTrust: askTrust(
        {
          ...silentInterface,
          ask: async (question) => {
            shown = String(question.detail);
            return { kind: 'dismissed' };
          },
        },
        place.cwd,
      ),
    });
    expect(shown).toContain(command);
    expect(shown.includes('changes in the others go unnoticed')).toBe(isPartial);
  });

  it.each(['npx guard', 'pnpm exec guard'])(
    'asks again when the file behind the link that "%s" follows changed',
    async (command) => {
      const place = await makeTestProject();
      await place.put('.robota/settings.json', { hooks: { SessionStart: [{ command }] } });
      await place.put('node_modules/guard/bin/start.js', 'good');
      await mkdir(`${place.cwd}/node_modules/.bin`);
      await symlink('../guard/bin/start.js', `${place.cwd}/node_modules/.bin/guard`);
      await openQuestions(place, true);
      expect((await openQuestions(place, false)).names).toEqual([]);
      await place.put('node_modules/guard/bin/start.js', 'bad');
      expect((await openQuestions(place, false)).names).toEqual([command]);
    },
  );

  it('asks again for a script that came to be later', async () => {
    const place = await makeTestProject();
    await place.put('.claude/skills/k/SKILL.md', skill('sh tools/late.sh'));
    const { config } = await openQuestions(place, true);
    await place.put('tools/late.sh', 'echo');
    const subject = { kind: 'skill-shell', name: 'k', content: 'sh tools/late.sh' } as const;
    expect(await config.trust?.isUnchanged(subject)).toBe(false);
    expect((await openQuestions(place, false)).names).toHaveLength(1);
  });

  it('asks again when the script behind a hook changed, also after cd', async () => {
    const place = await makeTestProject();
    await place.put('.robota/settings.json', {
      hooks: { SessionStart: [{ command: 'cd s && sh h.sh' }] },
    });
    await place.put('s/h.sh', 'echo good');
    await openQuestions(place, true);
    expect((await openQuestions(place, false)).names).toEqual([]);
    await place.put('s/h.sh', 'echo bad');
    expect((await openQuestions(place, false)).names).toEqual(['cd s && sh h.sh']);
  });

  it('is no yes to another skill of the same name and text', async () => {
    const place = await makeTestProject();
    const command = 'sh ${CLAUDE_SKILL_DIR}/run.sh';
    await place.put('.claude/skills/k/SKILL.md', skill(command));
    await place.put('.claude/skills/k/run.sh', 'echo good');
    await openQuestions(place, true);
    await place.put('.robota/skills/k/SKILL.md', skill(command));
    await place.put('.robota/skills/k/run.sh', 'echo bad');
    const { config, names } = await openQuestions(place, false);
    expect(names).toEqual([command]);
    expect(config.trust?.allows({ kind: 'skill-shell', name: 'k', content: command })).toBe(false);
  });

  it('leaves out and names what cannot be agreed to, also for a run that trusts everything', async () => {
    const place = await makeTestProject();
    const command = 'cd a;'.repeat(50);
    await place.put('.claude/skills/k/SKILL.md', skill(command));
    const config = await loadConfig(place.cwd, { host: place.host, trustProject: true });
    expect(config.trust?.allows({ kind: 'skill-shell', name: 'k', content: command })).toBe(false);
    expect(describeProblems(config.problems).join()).toContain('is skipped: the command is too long');
  });
});
