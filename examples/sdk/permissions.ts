// Deny rules come first, then the function, then the other rules and the mode.
import { type Authorize, query } from '@robota-sdk/agent-sdk';

const authorize: Authorize = ({ call, access }) => {
  if (call.name === 'Bash') return { deny: 'Shell commands are disabled in this job.' };
  const isText =
    access.length > 0 && access.every((each) => each.kind === 'write' && each.path.endsWith('.md'));
  return isText ? 'allow' : undefined;
};

const permissions = { allow: ['Write(docs/**)'], deny: ['Read(secrets/**)'] };
const { denials } = await query('Update the changelog', { cwd: 'app', permissions, authorize }).result;
for (const { tool, reason } of denials) console.log(tool, reason);
