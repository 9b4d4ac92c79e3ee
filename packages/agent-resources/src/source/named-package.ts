/** A package that a settings file names. */
export interface NamedPackage {
  readonly name: string;
  /** Whether the repository named it. */
  readonly fromProject: boolean;
}
