import type { PolicyFiles, Workspace } from '@robota-sdk/agent-shell';
import { isWindowsPath, posixCommand, posixPath, windowsPath } from '../../platform/windows-paths.ts';
import type { Access } from '../../tool/access.ts';
import type {
  IgnoredFiles,
  PermissionPolicy,
  PermissionRequest,
  PermissionRules,
  Rule,
} from './permission.ts';

/** A permission request with slashes in all paths. */
interface PosixView {
  readonly policy: PermissionPolicy;
  readonly request: PermissionRequest;
}

/**
 * The same request with Git Bash paths, if the workspace is on Windows. Rules, protected names and the shell parser
 * expect slashes: a Windows path would match none of them.
 */
export function posixView(policy: PermissionPolicy, request: PermissionRequest): PosixView {
  if (!isWindowsPath(policy.workspace.cwd)) return { policy, request };
  const { workspace, rules, files, ignored } = policy;
  return {
    policy: {
      ...policy,
      workspace: kept(workspaces, workspace, posixWorkspace),
      rules: kept(ruleSets, rules, posixRules),
      ...(files === undefined ? {} : { files: kept(fileViews, files, posixFiles) }),
      ...(ignored === undefined ? {} : { ignored: posixIgnored(ignored) }),
    },
    request: { ...request, access: request.access.map(posixAccess) },
  };
}

// Cached, because patterns are prepared once per workspace object.
const workspaces = new WeakMap<Workspace, Workspace>();
const ruleSets = new WeakMap<PermissionRules, PermissionRules>();
const fileViews = new WeakMap<PolicyFiles, PolicyFiles>();

function kept<T extends object>(known: WeakMap<T, T>, value: T, make: (value: T) => T): T {
  const made = known.get(value) ?? make(value);
  known.set(value, made);
  return made;
}

function posixWorkspace({ cwd, additional, home }: Workspace): Workspace {
  return { cwd: posixPath(cwd), additional: additional.map(posixPath), home: posixPath(home) };
}

function posixRules({ allow, ask, deny }: PermissionRules): PermissionRules {
  return { allow: allow.map(posixRule), ask: ask.map(posixRule), deny: deny.map(posixRule) };
}

/** `Read(C:\Users\**)` is `Read(//c/Users/**)`: two slashes anchor at the root. */
function posixRule(rule: Rule): Rule {
  const { tool, specifier } = rule;
  if (specifier === undefined) return rule;
  if (tool === 'Bash') return { ...rule, specifier: posixCommand(specifier) };
  if (!pathTools.has(tool)) return rule;
  const pattern = isWindowsPath(specifier) ? `/${posixPath(specifier)}` : specifier.replaceAll('\\', '/');
  return { ...rule, specifier: pattern };
}

const pathTools: ReadonlySet<string> = new Set(['Edit', 'Glob', 'Grep', 'Read', 'Write']);

function posixIgnored(ignored: IgnoredFiles): IgnoredFiles {
  return {
    ruleFor: (path) => ignored.ruleFor(windowsPath(path)),
    get rules() {
      return ignored.rules.map(posixRule);
    },
  };
}

function posixFiles(files: PolicyFiles): PolicyFiles {
  return {
    realPath: (path) => posixPath(files.realPath(windowsPath(path))),
    entries: (directory) => files.entries(windowsPath(directory)),
    look: (file) => files.look(windowsPath(file)),
    read: (file) => files.read(windowsPath(file)),
    tracked: async (directory) => {
      const found = await files.tracked?.(windowsPath(directory));
      return found && { ...found, top: posixPath(found.top) };
    },
    get searchPath() {
      return files.searchPath.split(';').map(posixPath).join(':');
    },
  };
}

function posixAccess(access: Access): Access {
  if (access.kind === 'fetch' || access.kind === 'use') return access;
  if (access.kind === 'run')
    return { ...access, command: posixCommand(access.command), cwd: posixPath(access.cwd) };
  return { ...access, path: posixPath(access.path), real: posixPath(access.real) };
}
