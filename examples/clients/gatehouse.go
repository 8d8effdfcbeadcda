// Runs a prompt and prints the answer as it comes. Go 1.21 or newer, its standard library alone.
//
// Usage: GATEHOUSE_BASE_URL=http://127.0.0.1:3000/v1 GATEHOUSE_API_KEY=…
// go run gatehouse.go PROMPT
package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const tries = 8

// A stream says something every 15 seconds; one that is silent for so long is broken.
const silence = 60 * time.Second

var baseURL = strings.TrimSuffix(os.Getenv("GATEHOUSE_BASE_URL"), "/")

// Refusal is what the service refused: the status, the code for programs, the words for people.
type Refusal struct {
	Status    int
	Code      string `json:"code"`
	Text      string `json:"error"`
	RequestID string `json:"request_id"`
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("%d %s: %s (%s)", r.Status, r.Code, r.Text, r.RequestID)
}

// Event is one of a run; Data depends on its Type.
type Event struct {
	Type           string `json:"type"`
	SequenceNumber int    `json:"sequence_number"`
	Data           struct {
		Delta string `json:"delta"`
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	} `json:"data"`
}

// request answers the open response. It repeats what may do better later; a POST is done once, by
// its key.
func request(method, path, accept string, body any) (*http.Response, error) {
	key := make([]byte, 16)
	_, _ = rand.Read(key)
	content, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	for attempt := 0; ; attempt++ {
		wait := min(30*time.Second, time.Second<<attempt)
		sent, err := http.NewRequest(method, baseURL+path, nil)
		if err != nil {
			return nil, err
		}
		sent.Header.Set("Authorization", "Bearer "+os.Getenv("GATEHOUSE_API_KEY"))
		sent.Header.Set("Accept", accept)
		if body != nil {
			sent.Body = io.NopCloser(bytes.NewReader(content))
			sent.ContentLength = int64(len(content))
			sent.Header.Set("Content-Type", "application/json")
			sent.Header.Set("Idempotency-Key", fmt.Sprintf("%x", key))
		}
		response, err := http.DefaultClient.Do(sent)
		if err == nil {
			if response.StatusCode < 300 {
				return response, nil
			}
			refusal := &Refusal{Status: response.StatusCode, Code: "unknown"}
			_ = json.NewDecoder(response.Body).Decode(refusal) // a proxy may answer no JSON
			response.Body.Close()
			status := refusal.Status
			if status != 408 && status != 429 && status < 500 && refusal.Code != "idempotency_in_progress" {
				return nil, refusal
			}
			if seconds, no := strconv.Atoi(response.Header.Get("Retry-After")); no == nil {
				wait = time.Duration(seconds) * time.Second
			}
			err = refusal
		}
		if attempt == tries-1 {
			return nil, err
		}
		time.Sleep(wait)
	}
}

func post(path string, body, answer any) error {
	response, err := request("POST", path, "application/json", body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return json.NewDecoder(response.Body).Decode(answer)
}

// follow hands each event of a run to onEvent, once and in order, through broken connections. It
// answers the last one.
func follow(runID string, onEvent func(Event)) (Event, error) {
	event := Event{}
	for {
		path := fmt.Sprintf("/runs/%s/events?starting_after=%d", runID, event.SequenceNumber)
		response, err := request("GET", path, "text/event-stream", nil)
		if err != nil {
			return event, err
		}
		silent := time.AfterFunc(silence, func() { response.Body.Close() })
		lines := bufio.NewReader(response.Body) // a Scanner takes no line over 64 KiB
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				break // the connection broke, perhaps within a line
			}
			silent.Reset(silence)
			data, found := bytes.CutPrefix(line, []byte("data: "))
			if !found {
				continue
			}
			next := Event{}
			if err := json.Unmarshal(data, &next); err != nil {
				return event, err
			}
			event = next
			onEvent(event)
			switch event.Type {
			case "run.completed", "run.failed", "run.cancelled":
				response.Body.Close()
				silent.Stop()
				return event, nil
			}
		}
		silent.Stop()
		response.Body.Close()
		time.Sleep(time.Second)
	}
}

func main() {
	if err := run(strings.Join(os.Args[1:], " ")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(prompt string) error {
	var session, started struct {
		ID string `json:"id"`
	}
	if err := post("/sessions", map[string]any{"title": "Go"}, &session); err != nil {
		return err
	}
	content := []any{map[string]any{"type": "input_text", "text": prompt}}
	input := []any{map[string]any{"role": "user", "content": content}}
	if err := post("/sessions/"+session.ID+"/runs", map[string]any{"input": input}, &started); err != nil {
		return err
	}
	last, err := follow(started.ID, func(event Event) { // kinds it does not know are passed over
		if event.Type == "message.output.delta" {
			fmt.Print(event.Data.Delta)
		}
	})
	if err != nil {
		return err
	}
	fmt.Println("\n" + last.Type)
	if last.Type != "run.completed" {
		return errors.New(strings.TrimSpace("the run did not complete. " + last.Data.Error.Message))
	}
	return nil
}
