export { checkProvider, type ProviderReport } from './testing/check-provider.ts';
export { memoryStore } from './testing/memory-store.ts';
export { type ModelServer, modelServer } from './testing/model-server.ts';
export { runTool, type ToolRun } from './testing/run-tool.ts';
export {
  call,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedStep,
  scriptedModel,
} from './testing/scripted-model.ts';
export { type TemporaryProject, temporaryProject } from './testing/temporary-project.ts';
