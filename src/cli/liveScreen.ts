/** A screen that is drawn anew, beside what the terminal shows: closing it brings that back. */

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l'; // another screen, no cursor, lines do not wrap
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const REST_OF_LINE = '\u001b[K';
const REST_OF_SCREEN = '\u001b[J';

export interface AlternateScreen {
  /** Shows a text that is safe to print in place of the last one. */
  draw(text: string): void;
  close(): void;
}

/**
 * Opens a screen on standard output, which is a terminal. It closes when the process exits, and
 * while it is stopped by Ctrl-Z; it is drawn anew when the window has another size.
 */
export function openScreen(stream: NodeJS.WriteStream = process.stdout): AlternateScreen {
  let shown = '';
  const enter = () => {
    stream.write(ENTER);
    show();
  };
  const leave = () => void stream.write(LEAVE);
  // Without clearing it first: a screen that is empty for a moment flickers.
  const show = () => void (shown === '' || stream.write(HOME
    + shown.split('\n').map((line) => line + REST_OF_LINE).join('\r\n') + REST_OF_SCREEN));
  const stop = () => {
    leave();
    process.kill(process.pid, 'SIGSTOP');
  };
  process.once('exit', leave).on('SIGTSTP', stop).on('SIGCONT', enter);
  stream.on('resize', show);
  enter();
  return {
    draw(text) {
      shown = text;
      show();
    },
    close() {
      process.off('exit', leave).off('SIGTSTP', stop).off('SIGCONT', enter);
      stream.off('resize', show);
      leave();
      stream.write(`${shown.trimEnd()}\n`); // What was seen last stays in sight.
    },
  };
}
