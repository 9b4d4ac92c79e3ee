import { wordSet } from '../word/word-set.ts';
import type { GitSetting } from './git-config.ts';

/** Sections whose settings never matter to read-only commands: other programs', and those for sending and merging. */
const harmlessSections = wordSet(
  'advice branch codereview cola color column commit credential feature fetch gc gerrit gitflow github gitreview gui hub ' +
    'http i18n init lfs magit maintenance notes pack pretty protocol pull push rebase receive rerere safe stash status svn ' +
    'svn-remote tag transfer url user versionsort vscode',
);

/** Settings by section that start no program and open no connection. */
const harmlessNames: Readonly<Record<string, ReadonlySet<string>>> = {
  core: wordSet(
    'abbrev autocrlf bare bigfilethreshold checkroundtripencoding checkstat commentchar commentstring commitgraph compression ' +
      'deltabasecachelimit disambiguate eol filemode fscache fsync fsyncmethod fsyncobjectfiles ignorecase ignorestat ' +
      'logallrefupdates longpaths loosecompression maxtreedepth multipackindex notesref packedgitlimit packedgitwindowsize packedrefstimeout ' +
      'filesreflocktimeout precomposeunicode prefersymlinkrefs preloadindex protecthfs protectntfs quotepath ' +
      'repositoryformatversion restrictinheritedhandles safecrlf sharedrepository sparsecheckout sparsecheckoutcone ' +
      'splitindex symlinks trustctime unsetenvvars untrackedcache usereplacerefs warnambiguousrefs whitespace hidedotfiles',
  ),
  diff: wordSet(
    'algorithm autorefreshindex colormoved colormovedws context dirstat guitool ignoresubmodules indentheuristic ' +
      'interhunkcontext mnemonicprefix noprefix relative renamelimit renames srcprefix dstprefix statgraphwidth statnamewidth ' +
      'suppressblankempty tool trustexitcode wserrorhighlight',
  ),
  extensions: wordSet(
    'compatobjectformat noop noop-v1 objectformat preciousobjects refstorage relativeworktrees worktreeconfig',
  ),
  format: wordSet('pretty'),
  grep: wordSet('column extendedregexp fullname linenumber patterntype threads'),
  index: wordSet('recordendofindexentries recordoffsettable skiphash sparse threads version'),
  log: wordSet(
    'abbrevcommit date decorate diffmerges excludedecoration follow graphcolors initialdecorationset mailmap showroot',
  ),
  merge: wordSet(
    'autostash branchdesc conflictstyle defaulttoupstream directoryrenames ff guitool log renamelimit renames ' +
      'renormalize stat suppressdest tool verbosity verifysignatures',
  ),
  submodule: wordSet('active alternateerrorstrategy alternatelocation fetchjobs propagatebranches'),
};

/** The same for settings with a subsection. */
const harmlessInner: Readonly<Record<string, ReadonlySet<string>>> = {
  diff: wordSet('algorithm binary cachetextconv funcname wordregex xfuncname'),
  remote: wordSet(
    'fetch followremotehead gh-resolved glab-resolved mirror prune prunetags proxy push pushurl skipdefaultupdate ' +
      'skipfetchall tagopt url',
  ),
  submodule: wordSet('active branch fetchrecursesubmodules ignore path shallow url'),
};

/** Settings that are harmless only with these values. */
const harmlessValues: Readonly<Record<string, RegExp>> = {
  'core.fsmonitor': /^(?:true|false|)$/i,
  'core.pager': /^(?:cat|less|)$/,
  // Otherwise git starts itself in repositories that only the history names.
  'diff.submodule': /^short$/,
  'submodule.recurse': /^(?:false|no|off|0)$/i,
  'status.submodulesummary': /^(?:false|no|off|0)$/i,
  'log.showsignature': /^(?:false|no|off|0)$/i,
};

/** True if a setting makes a read-only git command neither start a program nor read anything else. */
export function isHarmlessSetting({ key, section, hasSubsection, name, value }: GitSetting): boolean {
  if (Object.hasOwn(harmlessValues, key))
    return value !== undefined && harmlessValues[key]?.test(value) === true;
  if (harmlessSections.has(section)) return true;
  if (section === 'pager') return /^(?:true|false)$/i.test(value ?? '');
  if (section === 'submodule' && hasSubsection && name === 'update')
    return /^(?:checkout|merge|none|rebase)$/.test(value ?? '');
  const table = hasSubsection ? harmlessInner : harmlessNames;
  return Object.hasOwn(table, section) && table[section]?.has(name) === true;
}
