// Our files in a project and in the user's home.
import { projectPaths, userPaths } from '@robota-sdk/agent-sdk/compat';

console.log(userPaths().settings);
console.log(projectPaths('/srv/app').agents);
