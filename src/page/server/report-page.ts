/** A report as one file: the page's own code and look, the data as text, and a policy that lets nothing else run or be asked for. */
import { createHash } from 'node:crypto';
import { reportScript } from '../../reading/report-file.ts';
import type { ReportData } from '../../reading/views.ts';
import type { Asset, AssetName } from './assets.ts';

export function reportPage(assets: ReadonlyMap<AssetName, Asset>, data: ReportData, title: string): string {
  const code = textOf(assets, 'app.js').replaceAll('</script', '<\\/script');
  const look = textOf(assets, 'app.css').replaceAll('</style', '<\\/style');
  const policy = `default-src 'none'; script-src '${hashOf(code)}'; style-src '${hashOf(look)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${look}</style>
</head>
<body>
<div id="app"></div>
<noscript>This report needs JavaScript to be shown. It loads nothing.</noscript>
${reportScript(data)}
<script type="module">${code}</script>
</body>
</html>
`;
}

function textOf(assets: ReadonlyMap<AssetName, Asset>, name: AssetName): string {
  return assets.get(name)?.body.toString('utf8') ?? '';
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (unit) => ENTITIES[unit] ?? unit);
}
