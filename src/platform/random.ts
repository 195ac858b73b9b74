export interface Random {
  /** Lower-case hexadecimal, unguessable. */
  id(bytes?: number): string;
}
