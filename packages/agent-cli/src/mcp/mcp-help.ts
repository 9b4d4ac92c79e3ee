/** The help of `robota mcp`. */
export const mcpHelp = `robota mcp: servers that bring tools (Model Context Protocol)

Usage
  robota mcp list                                what is configured, where, and whether it is used
  robota mcp get NAME                            all about one
  robota mcp add NAME [--env KEY=value] -- COMMAND [ARGS]
  robota mcp add --transport http NAME URL [--header "Name: value"]
  robota mcp add-json NAME JSON                  as it would stand in a file
  robota mcp remove NAME                         take it out of our files
  robota mcp enable NAME, disable NAME           for this project; disable --scope user everywhere
  robota mcp test [NAME]                         start it and say what it offers, or why it does not work
  robota mcp login NAME, logout NAME             for servers that want a login; --no-browser only shows the address
  robota mcp serve                               be an MCP server: Robota for other programs, over standard input

Options
  -t, --transport KIND       stdio (a command), http or sse (an address)
  -e, --env KEY=value        a variable for the command
  -H, --header "Name: value" a header for the address
  -s, --scope SCOPE          local (yours, for this project; the default), project (.robota/mcp.json) or user
  --client-id ID, --client-secret SECRET, --callback-port PORT    for servers that know us already
  --grant client_credentials     log in for the program itself, with --client-id and --client-secret-env VAR or
                             --private-key FILE [--signing-algorithm ES256]
  --grant cross_app_access   the same by an identity provider: --idp-token-endpoint URL, --idp-client-id ID,
                             --id-token-env VAR
  --elicitation defaults     answer what it asks with its defaults; otherwise you are asked, or it is declined
  --approve                  test: agree to what a server says of itself now
  --trust-project            also use the servers that this project brings
  --json                     answer as JSON
  --cwd DIR                  another project than the one here

Servers are also read from .mcp.json, .rab/mcp.json, ~/.claude.json and the like; a project's only after you agreed to them.
`;
