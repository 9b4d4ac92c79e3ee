import { gitArguments } from '../commands/git-operands.ts';
import { baseName } from '../commands/nested-runs.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { type Variables, valuesOf } from '../word/shell-word.ts';

/** The effect of a command that destroys what nothing brings back, and the words that it needs all of. */
type Destruction = readonly [...words: RegExp[], effect: string];

const volumes = 'deletes volumes with their data';
const resources = "deletes resources; /rewind can't restore them";
const database = "deletes data of a database; /rewind can't restore it";
const container: readonly Destruction[] = [
  [/ volume (?:prune|remove|rm) /, volumes],
  [/ system (?:prune|reset) /, 'deletes containers, images and networks'],
  [/ down /, / (?:-v|--volumes?) /, volumes],
  [/ rm /, / (?:-[a-uw-z]*v[a-z]*|--volumes) /, volumes],
];
const cloud: readonly Destruction[] = [
  [/ (?:delete|destroy|rb|rm|remove|purge|terminate)(?:-[a-z-]+)? /, resources],
];
const sql: readonly Destruction[] = [
  [/\b(?:drop\s+(?:database|index|schema|table|view)|truncate|delete\s+from)\b/i, database],
];
const deployment: readonly Destruction[] = [[/ (?:delete|destroy|uninstall) /, resources]];

/** The words stand between single spaces, so that a row can match whole words. */
const destructions: Readonly<Record<string, readonly Destruction[]>> = {
  aws: cloud,
  az: cloud,
  btrfs: [[/ (?:subvolume|sub) del/, "deletes a file system's data"]],
  crontab: [[/ -[a-z]*r/, 'deletes all scheduled jobs']],
  docker: container,
  'docker-compose': container,
  doctl: cloud,
  dropdb: [[/ /, database]],
  flyctl: cloud,
  gcloud: cloud,
  gh: [[/ (?:delete|delete-asset) /, 'deletes data on GitHub']],
  glab: [[/ delete /, 'deletes data on GitLab']],
  gsutil: cloud,
  helm: [[/ (?:delete|uninstall) /, resources]],
  heroku: [[/ (?:apps:destroy|pg:reset|addons:destroy) /, resources]],
  hg: [[/ (?:purge|strip) /, "deletes files or commits; /rewind can't restore them"]],
  jj: [[/ util gc /, 'deletes commits that nothing refers to']],
  kubectl: deployment,
  lvremove: [[/ /, "deletes a file system's data"]],
  mongosh: [[/\b(?:drop|dropDatabase|deleteMany|remove)\(/, database]],
  mysql: sql,
  mysqladmin: [[/ drop /, database]],
  nerdctl: container,
  npm: [[/ unpublish /, 'deletes a published package']],
  oc: deployment,
  podman: container,
  prisma: [
    [/ migrate reset /, database],
    [/ db push /, / --force-reset /, database],
  ],
  psql: sql,
  pulumi: deployment,
  rails: [[/ db:(?:drop|reset|purge|migrate:reset|schema:load) /, database]],
  rake: [[/ db:(?:drop|reset|purge|migrate:reset|schema:load) /, database]],
  'redis-cli': [[/ flush(?:all|db) /i, database]],
  restic: [[/ (?:forget|prune) /, 'deletes backups']],
  sqlite3: sql,
  supabase: [[/ db reset /, database]],
  terraform: [[/ (?:destroy|state rm) | -destroy /, resources]],
  tofu: [[/ (?:destroy|state rm) | -destroy /, resources]],
  vagrant: [[/ destroy /, resources]],
  zfs: [[/ (?:destroy|rollback) /, "deletes a file system's data"]],
};

/** Names the effects of a command that `/rewind` cannot undo, apart from files that it names. */
export function destructionsOf(command: SimpleCommand, variables: Variables): readonly string[] {
  const name = baseName(command.words[0]) ?? '';
  const given = command.words.slice(1);
  if (name === 'git') {
    const { subcommand, rest } = gitArguments(given);
    return gitDestructions(
      subcommand,
      rest.flatMap((word) => valuesOf(word, variables)),
    );
  }
  const rows = Object.hasOwn(destructions, name) ? destructions[name] : undefined;
  if (rows === undefined) return [];
  const text = ` ${given.flatMap((word) => valuesOf(word, variables)).join(' ')} `;
  const isDry = / (?:--dry-run(?:=(?!none)[a-z]+)?|--dryrun|--help) /.test(text);
  return isDry
    ? []
    : rows.flatMap((row) =>
        row.every((part) => typeof part === 'string' || part.test(text)) ? [row.at(-1) as string] : [],
      );
}

/** Git accepts every unambiguous prefix of a long option. */
function gitDestructions(subcommand: string, words: readonly string[]): readonly string[] {
  const letters = words.filter((word) => /^-[A-Za-z]/.test(word)).join('');
  const has = (option: string, shortest: number) =>
    words.some((word) => {
      const name = word.split('=', 1)[0] ?? '';
      return name.length >= shortest && option.startsWith(name);
    });
  const [action = ''] = words.filter((word) => !word.startsWith('-'));
  const isForced = letters.includes('f') || has('--force', 4);
  switch (subcommand) {
    case 'clean': {
      if (letters.includes('n') || has('--dry-run', 4)) return [];
      if (/[xX]/.test(letters)) return ["deletes files that git ignores; /rewind can't restore them"];
      const force = (letters.match(/f/g)?.length ?? 0) + words.filter((word) => '--force' === word).length;
      return force > 1 ? ["deletes nested repositories; /rewind can't restore them"] : [];
    }
    case 'stash':
      return action === 'drop' || action === 'clear'
        ? ["deletes stashed changes; /rewind can't restore them"]
        : [];
    case 'reflog':
      return action === 'expire' || action === 'delete'
        ? ['deletes what git needs to recover lost commits']
        : [];
    case 'gc':
      return has('--prune', 4) ? ['deletes lost commits for good'] : [];
    case 'prune':
      return letters.includes('n') || has('--dry-run', 4) ? [] : ['deletes lost commits for good'];
    case 'branch': {
      const isDeleting = letters.includes('D') || (isForced && (letters.includes('d') || has('--delete', 5)));
      return isDeleting ? ['deletes branches, also with commits that are nowhere else'] : [];
    }
    case 'update-ref':
      return letters.includes('d') ? ['deletes branches, also with commits that are nowhere else'] : [];
    case 'worktree':
      return action === 'remove' && isForced
        ? ["deletes a worktree with its changes; /rewind can't restore them"]
        : [];
    case 'submodule':
      return action === 'deinit' && isForced
        ? ["deletes a submodule's changes; /rewind can't restore them"]
        : [];
    case 'filter-branch':
    case 'filter-repo':
      return ['rewrites all commits'];
    default:
      return [];
  }
}
