/** A line of the journal as it is read: two fields are always there. */
export interface JournalEntry {
  ts: string;
  type: string;
  [field: string]: unknown;
}
