/** A package that a settings file names. */
export interface NamedPackage {
  readonly name: string;
  /** True if the repository named it. */
  readonly fromProject: boolean;
}
