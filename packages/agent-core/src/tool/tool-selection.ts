/** Which of the registered tools a session offers. */
export interface ToolSelection {
  /** Only these. */
  readonly only?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** None at all. */
  readonly none?: boolean | undefined;
}
