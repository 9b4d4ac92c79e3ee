/** The owner of a plugin: the user, or a project. */
export type PluginScope = 'user' | 'project';
