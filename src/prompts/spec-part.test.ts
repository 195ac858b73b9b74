import { describe, expect, test } from 'vitest';
import { generalPart, specPart } from './spec-part.ts';

const SPEC = `# Shop

A small shop for people who sell bread.

## Cart

- A user can add an item to the cart.
- A user can remove an item from the cart
  and sees the new total.

## Payment

Cards are charged once. A refused card shows the reason.
`;

const part = (description: string, steps: string[] = []): string | null => specPart(SPEC, { description, steps });

describe('the part of a specification that is about a feature', () => {
  test('is the section whose words it shares, with the lines that say it', () => {
    expect(part('A user can remove an item')).toContain('Cart: ');
    expect(part('A user can remove an item')).toContain('A user can remove an item from the cart and sees the new total.');
    expect(part('A refused card is explained', ['the reason is shown'])).toBe(
      'Payment: Cards are charged once. A refused card shows the reason.',
    );
  });

  test('is nothing where the document says nothing about it', () => {
    expect(part('Dark mode follows the operating system')).toBeNull();
    expect(specPart('', { description: 'anything', steps: [] })).toBeNull();
  });

  test('is found in scripts that do not part words', () => {
    const japanese = '# 店\n\n## カート\n\n商品を削除できる。\n\n## 支払い\n\nカードで支払う。\n';
    expect(specPart(japanese, { description: '利用者は商品を削除できる', steps: [] })).toContain('商品を削除できる');
  });
});

test('the general part is what no claim belongs to', () => {
  const claims = ['ledger sum prints the sum of a file', 'ledger months prints totals by month'];
  const sections =
    '# Ledger\n\nAmounts have two digits. No dependencies.\n\n## Sum\nledger sum prints the sum.\n\n## Months\nledger months prints totals by month.\n\n## Errors\nErrors go to stderr.\n';
  expect(generalPart(sections, claims)).toBe('Ledger\nAmounts have two digits. No dependencies.\n\nErrors\nErrors go to stderr.');
  const plain = 'No dependencies.\n\n- ledger sum prints the sum of a file\n- ledger months prints totals by month\n';
  expect(generalPart(plain, claims)).toBe('No dependencies.');
});
