/** The help of `robota plugin`. */
export const pluginHelp = `robota plugin: what others have made, to be installed

Usage
  robota plugin list                         what is installed, and whether it is enabled
  robota plugin install NAME[@MARKETPLACE]   install what a marketplace offers
  robota plugin install SOURCE               install ./folder, owner/repo[#ref], a git address, a .tar.gz or .zip
  robota plugin install FILE.wasm            make a WebAssembly extension ready and install it
  robota plugin uninstall NAME               remove it
  robota plugin enable NAME                  switch it on; shows it again if its files have changed
  robota plugin disable NAME                 switch it off and keep it
  robota plugin update [NAME]                fetch marketplaces again and install what is newer
  robota plugin search [WORDS]               by name, keyword and description (--category NAME)
  robota plugin marketplace                  what there is to install
  robota plugin marketplace add SOURCE       know another marketplace (also remove NAME, update [NAME], list)
  robota plugin new NAME                     make a small plugin to begin with
  robota plugin new NAME --wasm              make a WebAssembly extension in TypeScript to begin with
  robota plugin approve NAME                 let a WebAssembly extension of yours use what it asks for
  robota plugin toolchain                    install what makes WebAssembly extensions ready (about 300 MB)
  robota plugin validate DIR                 name everything that is wrong with one; exit code 1 if anything is

Options
  --scope SCOPE    user (~/.robota/plugins) or project (.robota/plugins, for everybody who works on it)
  --yes            agree beforehand, for scripts
  --json           answer as JSON
  --cwd DIR        another project than the one here

Before anything is installed, you see what it adds, what of it would run, and what it costs in every request.
`;
