// Decides whether a workflow may run the agent: not for a fork, and only for users who may write to the repository. It runs
// before anything is installed. Everything unexpected is a refusal.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Events without a user behind them; only who can write to the default branch can change their workflow. */
const unattended = new Set(['schedule']);

try {
  authorize();
} catch (thrown) {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  process.stdout.write(`::error title=Robota did not run::${escaped(message)}\n`);
  process.exit(1);
}

function authorize() {
  const repository = required('GITHUB_REPOSITORY', /^[\w.-]+\/[\w.-]+$/);
  const eventName = required('GITHUB_EVENT_NAME', /^\w+$/);
  const event = JSON.parse(readFileSync(required('GITHUB_EVENT_PATH', /./), 'utf8'));
  refuseForks(event, repository);
  if (unattended.has(eventName)) return;
  const users = usersOf(event);
  for (const user of users) refuseWithoutWrite(user, repository);
  process.stdout.write(`Allowed: ${[...users].join(', ')} can write to ${repository}.\n`);
}

/** @param {string} repository */
function refuseForks(/** @type {any} */ event, repository) {
  const pull = event.pull_request ?? pullOfIssue(event, repository);
  const heads = [
    ...(pull === undefined ? [] : [pull.head?.repo?.full_name]),
    ...(event.workflow_run === undefined ? [] : [event.workflow_run?.head_repository?.full_name]),
  ];
  for (const head of heads) {
    // The repository of a fork that was deleted has no name.
    if (String(head).toLowerCase() !== repository.toLowerCase())
      throw new Error(`The change comes from ${head ?? 'a deleted fork'}, not from ${repository}.`);
  }
}

/** A comment on a pull request says nothing about where the change comes from. */
function pullOfIssue(/** @type {any} */ event, /** @type {string} */ repository) {
  if (event.issue?.pull_request === undefined) return undefined;
  const { number } = event.issue;
  if (!Number.isSafeInteger(number)) throw new Error('The event names no pull request.');
  return JSON.parse(gh('api', `repos/${repository}/pulls/${number}`));
}

/** All who had a hand in the event: the one who acted, the one who runs it again, and the writer of the comment. */
function usersOf(/** @type {any} */ event) {
  const names = [
    required('GITHUB_ACTOR', /./),
    required('GITHUB_TRIGGERING_ACTOR', /./),
    event.sender?.login,
    event.comment?.user?.login,
    event.review?.user?.login,
  ].filter((name) => name !== undefined);
  for (const name of names) {
    if (typeof name !== 'string' || !/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:\[bot\])?$/.test(name))
      throw new Error('The event names a user that cannot be one.');
  }
  return new Set(names);
}

function refuseWithoutWrite(/** @type {string} */ user, /** @type {string} */ repository) {
  const path = `repos/${repository}/collaborators/${encodeURIComponent(user)}/permission`;
  const { permission } = JSON.parse(gh('api', path));
  if (permission !== 'admin' && permission !== 'write')
    throw new Error(`${user} cannot write to ${repository} (permission: ${permission}).`);
}

function gh(/** @type {string[]} */ ...words) {
  try {
    return execFileSync('gh', words, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    });
  } catch {
    throw new Error(`GitHub did not answer: gh ${words.join(' ')}`);
  }
}

function required(/** @type {string} */ name, /** @type {RegExp} */ pattern) {
  const value = process.env[name] ?? '';
  if (!pattern.test(value))
    throw new Error(`${name} is missing or wrong. This action runs in GitHub Actions.`);
  return value;
}

/** A message of a workflow command is one line. */
function escaped(/** @type {string} */ text) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
