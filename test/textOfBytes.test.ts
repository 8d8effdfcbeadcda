import t from 'tap';
import { textOfBytes } from '../src/textOfBytes.ts';

t.test('files in UTF-8 and UTF-16, without their marks', async (t) => {
  const text = '{"title": "Käse 𝄞"}';
  const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
  for (const bytes of [Buffer.from(text), Buffer.from(`\uFEFF${text}`), little,
    Buffer.from(little).swap16()]) {
    t.equal(textOfBytes(bytes), text);
  }
  t.equal(textOfBytes(Buffer.from([])), '');
  t.equal(textOfBytes(Buffer.from([0x7b, 0xff])), '{\uFFFD', 'what is no text is none');
});
