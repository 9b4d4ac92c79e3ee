/** Variables that only change how output looks. */
const names =
  /^(?:CI|COLORTERM|COLUMNS|FORCE_COLOR|GOARCH|GOOS|LANG|LANGUAGE|LC_[A-Z]+|LINES|NODE_ENV|NO_COLOR|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|RUST_BACKTRACE|RUST_LOG|TZ)$/;

/** True if setting a variable to a value only changes how output looks. */
export function isHarmlessVariable(name: string, value: string | undefined): boolean {
  return names.test(name) && value !== undefined && /^[\w.,=+@%:-]*$/.test(value);
}
