/** The version of the world that this program speaks; components of the same major version are understood. */
export const witVersion = '1.0.0';

/** The WIT world of plugins: required exports and allowed imports. */
export const pluginWit = `package robota:plugin@${witVersion};

/// What a plugin may ask its host for. Without a grant in its manifest every file, address and variable is refused.
interface host {
  record request {
    method: string,
    url: string,
    headers: list<tuple<string, string>>,
    body: option<list<u8>>,
  }

  record response {
    status: u16,
    headers: list<tuple<string, string>>,
    body: list<u8>,
  }

  /// "config" of the manifest, as JSON; "{}" where there is none.
  config: func() -> string;
  /// A line for the user, while a call is at work.
  log: func(text: string);
  /// A variable of the environment; none where it is not set or not granted.
  environment: func(name: string) -> option<string>;
  read-file: func(path: string) -> result<list<u8>, string>;
  write-file: func(path: string, content: list<u8>) -> result<_, string>;
  /// The names in a directory; those of directories end with a slash.
  list-files: func(path: string) -> result<list<string>, string>;
  fetch: func(request: request) -> result<response, string>;
}

interface plugin {
  record tool {
    /// 1 to 64 of a-z A-Z 0-9 _ -
    name: string,
    /// For the model: what the tool does and when to use it.
    description: string,
    /// JSON Schema of the input, of the type "object".
    input: string,
    /// For people, where the name is not telling.
    label: option<string>,
    /// One line for the system prompt on how to use the tool well.
    brief: option<string>,
  }

  record command {
    name: string,
    description: string,
    /// Such as "[name]".
    argument-hint: option<string>,
  }

  variant outcome {
    /// Shown to the user.
    notice(string),
    /// Asked of the model.
    prompt(string),
  }

  name: func() -> string;
  tools: func() -> list<tool>;
  commands: func() -> list<command>;
  /// The input is JSON that fits the schema; the answer is for the model.
  execute-tool: func(name: string, call-id: string, input: string) -> result<string, string>;
  execute-command: func(name: string, arguments: string) -> result<outcome, string>;
}

interface self-check {
  /// Called once before a plugin is first used; with an error it is left out.
  self-test: func() -> result<_, string>;
}

world robota-plugin {
  import host;
  export plugin;
}

world robota-plugin-with-self-test {
  include robota-plugin;
  export self-check;
}
`;
