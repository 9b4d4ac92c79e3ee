import { join } from 'node:path';
import type { GoldenTools, Section } from '../tools.ts';
import { sessionFixtures } from './sessions.ts';

const exported = [
  'robota-0.1.0/story',
  'robota-0.1.0/calls',
  'robota-0.1.0/compacted',
  'robota-0.1.0/rewound',
  'pi/version-3',
];

/** Exported sessions: the data of the page without its script and style, Markdown and lines. */
export const section: Section = {
  name: 'exports',
  async record(language, tools) {
    const { folder } = await sessionFixtures(tools);
    const recorded: Record<string, string> = {};
    await Promise.all(
      exported.slice(0, language === 'en' ? undefined : 1).flatMap((name) =>
        Object.entries(forms).map(async ([file, options]) => {
          const args = ['sessions', 'export', join(folder, `${name}.jsonl`), '--output', '-', ...options];
          const { stdout, ...rest } = await tools.run(args);
          const text = file === 'page.html' ? withoutProgram(stdout) : stdout;
          recorded[`${name}/${file}`] = tools.transcript({ ...rest, stdout: text }, { durations: 'kept' });
        }),
      ),
    );
    Object.assign(recorded, await refusals(join(folder, 'robota-0.1.0/rewound.jsonl'), tools));
    return recorded;
  },
};

const forms = {
  'page.html': ['--format', 'html'],
  'text.md': ['--format', 'md'],
  'all-branches.md': ['--format', 'md', '--all-branches'],
  'lines.jsonl': ['--format', 'jsonl'],
} as const;

/** The page with its data as indented JSON; script and style change with every build. */
function withoutProgram(page: string): string {
  return page
    .replace(/<style>.*?<\/style>/s, '<style>…</style>')
    .replace(/<script>.*?<\/script>/s, '<script>…</script>')
    .replace(/'sha256-[\w+/=]+'/g, "'sha256-…'")
    .replace(/(?<=<script type="application\/json"[^>]*>).*?(?=<\/script>)/gs, indented)
    .replace(/("exported": )\d+/, '$1<time>');
}

function indented(json: string): string {
  return `\n${JSON.stringify(JSON.parse(json), null, 1)}\n`;
}

async function refusals(file: string, tools: GoldenTools): Promise<Record<string, string>> {
  const cwd = await tools.folder({ 'there.md': 'Already there.\n' });
  const cases = {
    existing: ['--output', 'there.md'],
    'unknown-format': ['--format', 'pdf'],
    'unknown-extension': ['--output', 'a.doc'],
    'missing-folder': ['--output', 'no/such/folder/a.md'],
    forced: ['--output', 'there.md', '--force'],
  };
  const recorded: Record<string, string> = {};
  for (const [name, options] of Object.entries(cases)) {
    const outcome = await tools.run(['sessions', 'export', file, ...options], { cwd });
    recorded[`refusals/${name}.txt`] = tools.transcript(outcome);
  }
  return recorded;
}
