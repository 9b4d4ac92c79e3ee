/** Whose plugins: the user's, or those of a project. */
export type PluginScope = 'user' | 'project';
