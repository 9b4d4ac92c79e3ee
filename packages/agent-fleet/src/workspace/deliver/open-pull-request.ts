import { TaskFailure } from '../../contract/task-failure.ts';
import type { TreeDelivery } from './deliver-tree.ts';
import { type Forge, forges, type PullRequest } from './forge.ts';
import { type RemoteRepository, remoteOf } from './remote-repository.ts';
import { type ForgeProgram, forgeProgram } from './run-forge.ts';

/** The server for a pull request, or the reason why there is none. */
export async function requireRemote({ mirror, signal }: TreeDelivery): Promise<RemoteRepository> {
  const remote = await remoteOf(mirror, signal);
  if (remote !== undefined) return remote;
  const problem = `${mirror.source} has no remote on a server, so a pull request is not possible.`;
  throw new TaskFailure('delivery-failed', problem, 'Add a remote named origin, or use `deliver: branch`.');
}

/** Finds the pull request of the branch, or makes it. Gives its URL; there is never a second one. */
export async function openPullRequest(delivery: TreeDelivery, remote: RemoteRepository): Promise<string> {
  const { request, facts } = delivery;
  const { forge, run } = await chooseForge(delivery, remote);
  const pull: PullRequest = {
    remote,
    branch: request.branch,
    base: facts.base.branch,
    title: request.title.replace(/\s+/g, ' ').trim() || `Task ${facts.taskId}`,
    body: request.body,
    isDraft: request.kind === 'draft-pr',
  };
  const known = await forge.find(pull, run);
  if (known !== undefined) return known;
  await request.assertLease();
  const failed = await forge.create(pull, run).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  delivery.signal.throwIfAborted();
  // Also after a failure: it may have died after it made one, or another process was faster.
  const made = await forge.find(pull, run);
  if (made !== undefined) return made;
  throw (
    failed ?? new TaskFailure('delivery-failed', `${forge.name} made no pull request for ${request.branch}.`)
  );
}

interface ChosenForge {
  readonly forge: Forge;
  readonly run: ForgeProgram;
}

async function chooseForge(delivery: TreeDelivery, remote: RemoteRepository): Promise<ChosenForge> {
  const { mirror, env, signal } = delivery;
  const context = { cwd: mirror.directory, url: remote.url, env, signal };
  const serving = forges.filter((forge) => forge.serves(remote.host));
  const known = serving.length > 0;
  const candidates = known ? serving : forges;
  for (const forge of candidates) {
    const run = forgeProgram(forge, context);
    if (run !== undefined && (known || (await isKnown(forge, remote.host, run)))) return { forge, run };
  }
  const names = candidates.map(({ name }) => name).join(', ');
  const advice = known
    ? `Install ${names} from ${serving[0]?.install} and log in, or use \`deliver: branch\`.`
    : `Log in there with one of ${names}, or use \`deliver: branch\`.`;
  const problem = known
    ? `${names} is not installed`
    : `None of ${names} is installed and logged in at ${remote.host}`;
  throw new TaskFailure(
    'delivery-failed',
    `${problem}, so no pull request was made. The branch is delivered.`,
    advice,
  );
}

/** A program that fails when it is asked for its logins has none. */
async function isKnown(forge: Forge, host: string, run: ForgeProgram): Promise<boolean> {
  return forge.knows(host, run).catch(() => false);
}
