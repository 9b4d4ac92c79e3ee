/** Variables that load code, choose programs, redirect connections, weaken TLS or hold keys. */
const names = new Set([
  'PATH',
  'PATHEXT',
  'HOME',
  'USERPROFILE',
  'SHELL',
  'COMSPEC',
  'ENV',
  'BASH_ENV',
  'BASHOPTS',
  'SHELLOPTS',
  'ZDOTDIR',
  'IFS',
  'CDPATH',
  'PS4',
  'PROMPT_COMMAND',
  'EDITOR',
  'VISUAL',
  'PAGER',
  'MANPAGER',
  'BROWSER',
  'LESSOPEN',
  'LESSCLOSE',
  'GCONV_PATH',
  'TMPDIR',
  'OPENSSL_CONF',
  'OPENSSL_MODULES',
  'CURL_HOME',
  'CURL_CA_BUNDLE',
  'REQUESTS_CA_BUNDLE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'WGETRC',
  'NETRC',
  'JAVA_TOOL_OPTIONS',
  '_JAVA_OPTIONS',
  'JDK_JAVA_OPTIONS',
  'MAVEN_OPTS',
  'GRADLE_OPTS',
  'MAKEFLAGS',
  'MFLAGS',
  'RUSTC',
  'RUSTC_WRAPPER',
  'GOFLAGS',
  'CC',
  'CXX',
  'CLASSPATH',
  'DOCKER_HOST',
  'KUBECONFIG',
  'TERMINFO',
  'TERMCAP',
  'INPUTRC',
  'RIPGREP_CONFIG_PATH',
  'HOSTALIASES',
  'OLLAMA_HOST',
  'SEARXNG_URL',
]);

const prefixes = [
  'LD_',
  'DYLD_',
  'NODE_',
  'NPM_CONFIG_',
  'YARN_',
  'PNPM_',
  'BUN_',
  'DENO_',
  'PYTHON',
  'PIP_',
  'UV_',
  'PERL',
  'RUBY',
  'GEM_',
  'BUNDLE_',
  'LUA_',
  'PHP',
  'GIT_',
  'SSH_',
  'GPG_',
  'BASH_FUNC_',
  'XDG_',
  'AWS_',
  'ROBOTA_',
  'CLAUDE_',
  'ANTHROPIC_',
  'OPENAI_',
  'OTEL_',
  'CARGO_',
];

const endings = ['_PROXY', '_BASE_URL', '_API_KEY', '_TOKEN', '_ASKPASS', '_PRELOAD', '_CA_CERTS'];

/** Harmless ones whose names begin like the others. */
const exceptions = new Set(['NODE_ENV', 'PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE', 'CARGO_TERM_COLOR']);

/** Whether a project may never set a variable, trusted or not. */
export function isRefusedVariable(name: string): boolean {
  const upper = name.toUpperCase();
  if (!/^[A-Z_][A-Z0-9_]*$/.test(upper)) return true;
  if (exceptions.has(upper)) return false;
  return (
    names.has(upper) ||
    prefixes.some((prefix) => upper.startsWith(prefix)) ||
    endings.some((ending) => upper.endsWith(ending))
  );
}
