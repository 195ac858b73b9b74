/** Where a report file keeps its data. */
export const reportScriptId = 'report';
