import type { AnyTool } from '@robota-sdk/agent-core';
import { askUserTool } from '../ask-user/ask-user-tool.ts';
import { bashTool } from '../bash/bash-tool.ts';
import { editTool } from '../edit/edit-tool.ts';
import { globTool } from '../glob/glob-tool.ts';
import { grepTool } from '../grep/grep-tool.ts';
import { exitPlanTool } from '../plan/exit-plan-tool.ts';
import { readTool } from '../read/read-tool.ts';
import { todoWriteTool } from '../todo-write/todo-write-tool.ts';
import { webFetchTool } from '../web-fetch/web-fetch-tool.ts';
import { webSearchTool } from '../web-search/web-search-tool.ts';
import { writeTool } from '../write/write-tool.ts';

/** The built-in tools, in the order models see them. */
export function builtinTools(): readonly AnyTool[] {
  return [
    readTool,
    writeTool,
    editTool,
    bashTool,
    globTool,
    grepTool,
    webFetchTool,
    webSearchTool,
    todoWriteTool,
    askUserTool,
    exitPlanTool,
  ];
}
