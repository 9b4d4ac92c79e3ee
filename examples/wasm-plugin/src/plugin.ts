import { definePlugin } from './robota.ts';
import { todoTools } from './todo-tools.ts';

export const { plugin, selfCheck } = definePlugin({ name: 'todos', tools: todoTools });
