// Refuses `git add` of files that hold secrets. The call comes as JSON on standard input; exit code 2 refuses it with the words on stderr.
let input = '';
for await (const part of process.stdin) input += part;
const { command = '' } = JSON.parse(input).tool_input ?? {};
if (/\bgit\s+add\b/.test(command) && /\.env\b|id_rsa|\.pem\b/.test(command)) {
  process.stderr.write('Files with secrets are never committed here. Name the files to add without it.\n');
  process.exitCode = 2;
}
