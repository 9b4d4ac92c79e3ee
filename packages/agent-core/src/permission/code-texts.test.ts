// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of bash.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealWorkspace } from './fixtures/real-workspace.ts';

let place: RealWorkspace;
beforeAll(() => {
  place = new RealWorkspace();
  place.write('a.txt', 'x\n');
  place.git('init', '-q');
  place.git('add', '-A');
  place.git('commit', '-qm', 'one');
});
afterAll(() => place.remove());

const deny = ['Bash(touch *)'];

/** Lines that run `touch`; CMD stands for it with the canary as its argument. */
const running = [
  "env -S'touch\\_CANARY'",
  "env -iS'touch\\_CANARY'",
  "env '-S-i PATH=/bin:/usr/bin touch' CANARY",
  'env --split-string=\'"touch" CANARY\'',
  "env --split-string '${NOTHING}touch CANARY'",
  'env -vS \'t"ou"ch CANARY\'',
  `perl -e 'open F,"|CMD"; close F'`,
  `perl -e 'open F,"CMD|"; close F'`,
  `perl -e 'open(F, "|-", qw(touch CANARY)); close F'`,
  `perl -e 'open(F, "-|", "touch", "CANARY"); close F'`,
  `perl -e 'qx{CMD}'`,
  `perl -e '\`CMD\`'`,
  `perl -e 'system "to"."uch CANARY"'`,
  `perl -e 'system "\\x74ouch CANARY"'`,
  `perl -e 'system "true\\ntouch CANARY"'`,
  `perl -le 'exec {"touch"} qw(touch CANARY)'`,
  "perl -e 'exec @ARGV' touch CANARY",
  "perl '-MPOSIX;system q(CMD)' -e 1",
  "perl <<< 'system q(CMD)'",
  "perl - <<'E'\nsystem q(CMD);\nE",
  "echo 'system q(CMD)' | perl",
  "printf '%s' 'system q(CMD)' | { perl; }",
  "{ perl; } <<< 'system q(CMD)'",
  "perl <(echo 'system q(CMD)')",
  "perl < <(echo 'system q(CMD)')",
  `perl -ne 'system $_' <<< 'CMD'`,
  "timeout 5 perl -e 'system q(CMD)'",
  "find . -maxdepth 0 -exec perl -e 'system q(CMD)' \\;",
  `python3 -c 'import os; os.system("CMD")'`,
  `python3 -c 'import subprocess; subprocess.run(["touch", "CANARY"])'`,
  `python3 -c 'import os; os.popen("CMD").read()'`,
  `python3 -c 'import os; os.execvp("touch", ["touch", "CANARY"])'`,
  `python3 -c 'import os; os.system("to" "uch CANARY")'`,
  `python3 -c 'import os; os.system("to"+"uch CANARY")'`,
  `python3 <<'E'\nimport os\nos.system("CMD")\nE`,
  `node -e 'require("child_process").execSync("CMD")'`,
  `node -p 'require("child_process").spawnSync("touch", ["CANARY"])'`,
  `node <<< 'require("child_process").execSync("CMD")'`,
  `awk 'BEGIN { system("CMD") }'`,
  `awk 'BEGIN { print "" | "CMD" }'`,
  `awk 'BEGIN { "CMD" | getline }'`,
  `awk 'BEGIN { c = "to" "uch CANARY"; system(c) }'`,
  `awk -v c='CMD' 'BEGIN { system(c) }'`,
  `awk '{ system($0) }' <<< 'CMD'`,
  "sed '1e CMD' a.txt",
  "sed '1~2e CMD' a.txt",
  "sed '/x/Ie CMD' a.txt",
  "sed 's|.*|CMD|;e' a.txt",
  "sed e <<< 'CMD'",
  "sed 's/^//e' <<< 'CMD'",
  "ed -s a.txt <<< '!CMD'",
  "ed -s <<'E'\nr !CMD\nE",
  "echo '!CMD' | ed -s a.txt",
  "printf '%s\\n' 'w !CMD' | ed -s a.txt",
  "ex -s a.txt <<< '!CMD' ",
  "ex -sc '!CMD' -cq a.txt",
  "vim -es -c ':!CMD' -c q a.txt",
  "vim -es '+!CMD' +q a.txt",
  'vim -es +q --cmd \'call system("CMD")\' a.txt',
  "vi -e -s -c 'silent !CMD' -c q a.txt",
  "gdb -batch -ex '!CMD'",
  "gdb -batch -ex 'shell CMD'",
  `gdb -batch -ex 'python import os; os.system("CMD")'`,
  "sqlite3 :memory: '.shell CMD'",
  "sqlite3 :memory: '.system CMD'",
  "sqlite3 :memory: <<< '.shell CMD'",
  "sqlite3 -cmd '.shell CMD' :memory: 'select 1'",
  "tclsh <<< 'exec touch CANARY'",
  "expect -c 'spawn touch CANARY; expect eof'",
  "make -f - <<< 'x: ; @CMD'",
  "make -f - <<< 'x: ; -CMD'",
  "make --eval='x: ; CMD' x",
  "make -f - CC='CMD' <<< 'x: ; $(CC)'",
  "make -f - CC=touch <<< 'x: ; $(CC) CANARY'",
  "CC='CMD' make -f - <<< 'x: ; $(CC)'",
  "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!CMD' git x",
  "env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!CMD' git x",
  "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!CMD'; git x",
  "set -a; GIT_CONFIG_COUNT=1; GIT_CONFIG_KEY_0=alias.x; read -r GIT_CONFIG_VALUE_0 <<< '!CMD'; git x",
  "GIT_CONFIG_PARAMETERS=\"'alias.x'='!CMD'\" git x",
  "GIT_EXTERNAL_DIFF='CMD' git diff HEAD --no-index a.txt /dev/null",
  "GIT_EDITOR='CMD' git commit --allow-empty --amend",
  "EDITOR='CMD' git commit --allow-empty --amend",
  "VISUAL='CMD' git commit --allow-empty --amend",
  "GIT_SEQUENCE_EDITOR='CMD' git rebase -i --root",
  "GIT_SSH_COMMAND='CMD' git ls-remote ssh://127.0.0.1/x",
  "GIT_SSH_VARIANT=simple GIT_SSH_COMMAND='CMD;' git ls-remote ssh://127.0.0.1/x",
  "git -c alias.x='!CMD' x",
  "X='!CMD' git --config-env=alias.x=X x",
  "git config --global alias.y '!CMD'; git y",
  "git -c core.editor='CMD' commit --allow-empty --amend",
  "git -c core.fsmonitor='CMD' status",
  "git rebase --exec 'CMD' --root",
  "git -c protocol.ext.allow=always ls-remote 'ext::touch CANARY'",
  "git ls-remote --upload-pack='CMD;' .",
  "PERL5OPT='-Mvars;system(q(CMD))' perl -e 1",
  "PERL5DB='BEGIN { system q(CMD) }' perl -d -e 1",
  "env 'BASH_FUNC_ls%%=() { CMD; }' bash -c ls",
  'env \'BASH_FUNC_ls%%=() { eval "to""uch CANARY"; }\' bash -c ls',
  "BASH_ENV='$(CMD)' bash -c :",
  "PS4='$(CMD)' bash -xc :",
  "PROMPT_COMMAND='CMD' bash --norc -i <<< exit",
  "tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec='CMD' a.txt",
  "tar -I 'CMD;' -cf x.tar a.txt",
  "split --filter='CMD' a.txt",
  "psql -c '\\! CMD'",
  "MANPAGER='CMD' man -P 'CMD' ls",
  "LESSOPEN='|CMD' less a.txt",
  "dc -e '!CMD'",
  "printf '* * * * * CMD\\n' | crontab -",
  "mail -s x root <<< '~!CMD'",
  "ftp -n <<< '!CMD'",
  "mysql -e '\\! CMD'",
  "m4 <<< 'syscmd(CMD)'",
  'php -r \'system("CMD");\'',
  'ruby -e \'system "CMD"\'',
  'lua -e \'os.execute("CMD")\'',
  'Rscript -e \'system("CMD")\'',
  'ssh localhost touch CANARY',
  'docker exec box touch CANARY',
  'kubectl exec pod -- touch CANARY',
  "socat - EXEC:'CMD'",
  "watchexec 'CMD'",
  "unheard-of --exec 'CMD'",
  "unheard-of --on-change='CMD'",
  "unheard-of 'true; CMD'",
];

/** Lines that only speak about it. */
const speaking = [
  'git commit -m "touch up docs"',
  "git commit -m 'Fix x' -m 'touch x is no longer run'",
  "git -c user.name='A B' commit -m 'touch up docs'",
  "git commit -F - <<'E'\ntouch up docs\nE",
  "git log --grep='touch x'",
  "git config user.name 'touch x'",
  'echo touch x',
  "printf 'touch x\\n'",
  'grep -r touch .',
  "grep -rn 'touch x' .",
  "rg 'system\\(\"touch' .",
  "sed 's/touch x/feel/' a.txt",
  "sed -n '/touch x/p' a.txt",
  "awk '/touch x/ { print $1 }' a.txt",
  "cat >> notes.md <<'E'\ntouch x\nE",
  "cat <<'E' > run.sh\ntouch x\nE",
  'ls touch',
  "find . -name 'touch *'",
  'man touch',
  'which touch',
  'command -v touch',
  'apt-get install touch',
  'npm install touch',
  'npm run touch',
  'make touch',
  'docker build -t touch .',
  'docker touch x',
  'python3 touch.py',
  'python3 manage.py touch',
  'python3 -c \'from pathlib import Path; Path("x").touch()\'',
  "python3 -c 'print(1)' ; echo touch x",
  "node -e 'console.log(touches)'",
  "gh pr create --title 'touch up docs' --body 'touch x'",
  "curl -d 'touch x' https://example.com",
  'vim touch.txt',
  "jq '.touch' a.json",
  'TITLE=touch npm test',
  'LANG=C npm test',
  'bash build.sh',
  "test -n 'touch x'",
];

const filled = (line: string): string =>
  line.replaceAll('CMD', `touch ${place.canary}`).replaceAll('CANARY', place.canary);

describe('text that programs run', () => {
  it.each(running)('E-39 R-10 a denied command in it is not allowed in any mode: %s', async (line) => {
    for (const mode of ['bypassPermissions', 'default', 'acceptEdits'] as const) {
      const { verdict, rule } = await place.judge(filled(line), { deny, allow: ['Bash'] }, { mode });
      expect(verdict).not.toBe('allow');
      expect(rule?.text).toBe('Bash(touch *)');
    }
  });

  it.each(speaking)('R-11 text that only names it is allowed: %s', async (line) => {
    const { verdict, reason } = await place.judge(line, { deny }, { mode: 'bypassPermissions' });
    expect(verdict, reason).toBe('allow');
  });
});
