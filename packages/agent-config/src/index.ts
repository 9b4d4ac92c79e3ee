export {
  argumentHintOf,
  type CommandOption,
  type CommandRow,
  isOn,
  type SubcommandRow,
  subcommandsOn,
  takeSubcommand,
} from './commands/command-row.ts';
export { type HelpRow, helpRows } from './commands/help-rows.ts';
export { type ReadOptions, readCommand, readOptions } from './commands/read-options.ts';
export {
  childEnvironment,
  findKey,
  findToken,
  hasKey,
  isKeyCommand,
  type KeptKeys,
  type KeySources,
  keyCommand,
  knownSecrets,
  loadStoredKeys,
  newKeysOf,
  removeKey,
  resolveHeader,
  type StoredKeys,
  secretForms,
  secretsToHide,
  storeKey,
  strayKeys,
  unmistakableSecrets,
  unsetVariable,
  withoutSecrets,
  writtenKey,
} from './credentials/credentials.ts';
export { loadKeys, userFiles } from './credentials/load-keys.ts';
export { OAuthStore } from './credentials/oauth-store.ts';
export { editJson } from './file/edit-json.ts';
export { entriesIn, type FolderEntry } from './file/entries-in.ts';
export { escapedLine } from './file/escaped-line.ts';
export { type FilesBelow, filesBelow, maxFiles } from './file/files-below.ts';
export { type FrontMatter, parseFrontMatter } from './file/front-matter.ts';
export {
  type JsonFile,
  lineOfKey,
  lineOfPath,
  parseJsonFile,
  readJsonFile,
} from './file/read-json.ts';
export {
  assertReadable,
  projectRoot,
  readProjectFile,
  refusalOf,
  secretPart,
} from './file/read-project-file.ts';
export { removeFolder } from './file/remove-folder.ts';
export { withoutStaging, withStaging } from './file/staging.ts';
export { updatePrivateFile, updateProjectFile } from './file/update-private-file.ts';
export {
  type Dialect,
  dialects,
  type HostEnvironment,
  hostShape,
  keybindingFiles,
  type ResourceKind,
  readsFilesOf,
  robotaHome,
  type SettingOwner,
  sessionSources,
  settingOwners,
  userFolder,
} from './host/dialects.ts';
export { projectPaths, userPaths } from './host/paths.ts';
export { processHost } from './host/process-host.ts';
export {
  allResourceFolders,
  type PluginFolder,
  type PluginFolders,
  type ResourceFolder,
  type ResourceSearchPaths,
  resourceFolders,
  userResourceFolders,
} from './host/resource-folders.ts';
export { sessionPlaces } from './host/session-places.ts';
export { baseUrlProblem } from './options/base-url.ts';
export { credentialsSchema } from './options/credentials-schema.ts';
export { type HookEvent, hookEvents } from './options/hook-events.ts';
export { conditionOf } from './options/hook-fields.ts';
export { type HookEventName, hookEventNames, isHookEventName } from './options/hook-names.ts';
export { parseKey, valueAt } from './options/key-path.ts';
export { expectedLanguage, isLanguage } from './options/language.ts';
export type { FlagSpec, MoreValues, OptionScope, SettingRow } from './options/option-row.ts';
export {
  fixedKeys,
  mergeSettings,
  optionsAsSettings,
  resolveSettings,
  settingOptions,
  withOptions,
  withoutReplaced,
} from './options/resolve-settings.ts';
export {
  type CompactionSettings,
  type OptionsOf,
  type SettingFlag,
  type SettingOptions,
  type Settings,
  type SettingsLayer,
  substituteEnvironment,
  type TaskPermissionPolicy,
  type TaskSettings,
  unsetReference,
  type WatchdogLimits,
} from './options/settings.ts';
export {
  modelsSchema,
  optionRows,
  settingFlags,
  settingKey,
  settingKeys,
  settingsSchema,
  settingsShape,
} from './options/settings-shape.ts';
export { optionTable } from './options/table.ts';
export { builtInThemeNames, knownThemes, themesIn } from './options/theme-names.ts';
export type { Config } from './settings/config.ts';
export { describeChanges } from './settings/describe-changes.ts';
export {
  editSetting,
  type SettingEdit,
  type SettingsScope,
  scopeFile,
  settingsScopes,
} from './settings/edit-settings.ts';
export { givenLayers } from './settings/given-layers.ts';
export { ignoreLocalSettings } from './settings/ignore-local-settings.ts';
export { ignoredFilesOf } from './settings/ignored-files.ts';
export { joinBudgets } from './settings/join-budgets.ts';
export { joinRules } from './settings/join-rules.ts';
export { layerCandidates, readLayers, type SettingsContext } from './settings/read-layers.ts';
export { readableValue } from './settings/readable-value.ts';
export { saveProjectRules } from './settings/save-rules.ts';
export { checkSettingsFile, ensureSettingsFile } from './settings/settings-file.ts';
export { type SettingsFile, settingsFiles } from './settings/settings-files.ts';
export { shownValue, valueText } from './settings/shown-value.ts';
export { translateLayer } from './settings/translate-layer.ts';
export { untoldProblems } from './settings/untold-warnings.ts';
export { validateLayer } from './settings/validate-layer.ts';
export { withoutMissing } from './settings/without-missing.ts';
export { writtenProfiles } from './settings/written-profiles.ts';
export { type ApprovalRecord, readApprovals, recordApproval } from './trust/approvals.ts';
export { approveRules } from './trust/approve-rules.ts';
export { askTrust } from './trust/ask-trust.ts';
export { dropForbidden } from './trust/forbidden-settings.ts';
export {
  areHooksOff,
  commandLine,
  describeUnclear,
  type HookGroup,
  hookLabel,
  hooksOfLayers,
  parseHooks,
  trustedGroups,
} from './trust/hook-config.ts';
export { hookSubject } from './trust/hook-subject.ts';
export { type ModelChooser, mayChooseModel, modelSubject } from './trust/model-subject.ts';
export { referencedFiles, scriptsOf } from './trust/referenced-files.ts';
export { isRefusedVariable } from './trust/refused-variables.ts';
export {
  directorySubject,
  isStrictest,
  modeSubject,
  ruleSubject,
  settingSubject,
  settingsDrafts,
  statusLineSubject,
  variableSubject,
} from './trust/settings-subjects.ts';
export type { ProjectSource, TrustCollector } from './trust/trust-collector.ts';
export { type AskTrust, openTrustGate, type TrustGate } from './trust/trust-gate.ts';
export {
  isCommandName,
  sealItem,
  subjectKey,
  type TrustDraft,
  type TrustItem,
  type TrustKind,
  type TrustSubject,
} from './trust/trust-item.ts';
export { inheritTrust, rememberTrust, type TrustDecision } from './trust/trust-store.ts';
export { withheldProblem } from './trust/withheld-warning.ts';
