/** Other languages than that of the dashboard: input methods, right to left, translation. */
import type { CDPSession, Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { connectPets, petDocument, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, newSession, OFFLINE } from '../support/runs.ts';
import { addressOf, dashboardFor, leavePage, openPage, untilHeading } from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
let session_id = '';
let approval_id = '';

if (!NO_CHROMIUM) {
  const { client, workspace_id } = dashboard;
  const store = await startPetStore(t);
  await client.expect(201, 'createIntegration',
    { body: petIntegration(store, { document: JSON.stringify(petDocument()) }) });
  await connectPets(client, workspace_id);
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'pets.pets.delete', decision: 'require_approval' } });
  session_id = await newSession(client, 'にほんの報告');
  const input = JSON.stringify({ path: { pet_id: 'x' } });
  await completeRun(client, session_id, `call pets.pets.delete ${input}`, OFFLINE);
  approval_id = (await client.expect(200, 'listApprovals')).data[0]!.id;
}

/** A page, and the input method of its computer. */
async function openTyping(address: string): Promise<[Page, CDPSession]> {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, address));
  return [page, await page.context().newCDPSession(page)];
}

/** Has the input method offer a text, which is in the field but not taken yet. */
async function offer(typing: CDPSession, text: string): Promise<void> {
  const at = text.length;
  await typing.send('Input.imeSetComposition', { text, selectionStart: at, selectionEnd: at });
}

/** A key that the input method takes. */
async function pressOffered(typing: CDPSession, key: string): Promise<void> {
  await typing.send('Input.dispatchKeyEvent',
    { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode: 229 });
}

t.test('Enter that takes what an input method offers goes nowhere', skip, async (t) => {
  const [page, typing] = await openTyping('keys');
  await untilHeading(page, 'API keys');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Find/ }).waitFor();
  await offer(typing, 'にほん');
  await page.getByRole('option', { name: 'にほんの報告' }).waitFor();
  await pressOffered(typing, 'Enter');
  await typing.send('Input.insertText', { text: 'にほん' });
  await page.getByRole('option', { name: 'にほんの報告' }).waitFor();
  t.equal(page.url(), addressOf(dashboard, 'keys'));
  await page.keyboard.press('Enter');
  await untilHeading(page, 'にほんの報告');
  t.equal(page.url(), addressOf(dashboard, `sessions/${session_id}`));
  await page.context().close();
});

t.test('Enter of an input method sends no prompt, also as Safari tells of it', skip, async (t) => {
  const [page, typing] = await openTyping(`sessions/${session_id}`);
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('にほん');
  await prompt.focus();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') asked.push(request.url());
  });
  // Safari ends the composition before the key that has ended it.
  await pressOffered(typing, 'Enter');
  await offer(typing, '語');
  await pressOffered(typing, 'Enter');
  await typing.send('Input.insertText', { text: '語' });
  t.equal(await prompt.inputValue(), 'にほん語');
  t.strictSame(asked, []);
  await page.context().close();
});

t.test('Escape of an input method leaves the reason that is typed', skip, async (t) => {
  const [page, typing] = await openTyping(`approvals/${approval_id}`);
  await page.getByText('What leaves').waitFor();
  await page.keyboard.press('d');
  const reason = page.getByRole('textbox', { name: 'Reason' });
  await reason.fill('だめ');
  await offer(typing, 'です');
  await pressOffered(typing, 'Escape');
  await offer(typing, '');
  t.equal(await reason.inputValue(), 'だめ');
  await page.keyboard.press('Escape');
  await reason.waitFor({ state: 'hidden' });
  await page.context().close();
});

t.test('a text from right to left is typed from the right', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `sessions/${session_id}`));
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  const directionOf = () =>
    page.evaluate<string>('getComputedStyle(document.querySelector("main textarea")).direction');
  await prompt.fill('Hello!');
  t.equal(await directionOf(), 'ltr');
  await prompt.fill('שלום!');
  t.equal(await directionOf(), 'rtl');
  await leavePage(dashboard, page);
});

t.test('no emoji is cut in two where a text is cut', skip, async (t) => {
  const page = await openPage(dashboard);
  for (const before of ['', 'x']) {
    const prompt = before + '😀'.repeat(400);
    const { id } = await completeRun(dashboard.client, session_id, prompt, OFFLINE);
    await page.goto(addressOf(dashboard, `runs/${id}?view=events`));
    await page.getByRole('row', { name: /run\.created/ }).waitFor();
    t.ok(await page.evaluate('document.querySelector("[role=grid]").textContent.isWellFormed()'));
  }
  await leavePage(dashboard, page);
});

t.test('the browser is told not to translate it', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'keys'));
  t.equal(await page.evaluate('document.documentElement.translate'), false);
  await leavePage(dashboard, page);
});

t.test('no letter of several characters is cut in two where a text is cut', skip, async (t) => {
  const page = await openPage(dashboard);
  for (const letter of ['👩‍👩‍👧‍👦', 'e\u0301', '🇩🇪']) {
    for (const before of ['', 'x', 'xx', 'xxx']) {
      const prompt = before + letter.repeat(100);
      const { id } = await completeRun(dashboard.client, session_id, prompt, OFFLINE);
      await page.goto(addressOf(dashboard, `runs/${id}`));
      const title = page.getByRole('heading', { level: 1, name: prompt.slice(0, 12) });
      const shown = (await title.innerText()).slice(before.length);
      t.equal(shown, letter.repeat(shown.length / letter.length), 'whole letters');
      t.ok(shown.length > 100, 'no more is cut off than has to be');
    }
  }
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
