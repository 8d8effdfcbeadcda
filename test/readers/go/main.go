// Reads a run's events by the reader that is named, and prints each as a line of JSON.
//
// Usage: readers scanner|gosse <url of the service> <run id>
//
// A connection that breaks is made again after the last number, until the run's last event.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/tmaxmax/go-sse"
)

// What a line may have: far above what an event has.
const longest = 64 << 20

var last = "0"
var out = json.NewEncoder(os.Stdout)

func main() {
	url := os.Args[2] + "/v1/runs/" + os.Args[3] + "/events"
	for {
		request, _ := http.NewRequest("GET", url+"?starting_after="+last, nil)
		request.Header.Set("Accept", "text/event-stream")
		response, err := http.DefaultClient.Do(request)
		if err != nil || response.StatusCode != 200 {
			os.Exit(1)
		}
		if os.Args[1] == "scanner" {
			byScanner(response.Body)
		} else {
			byGoSSE(response.Body)
		}
		response.Body.Close()
	}
}

// byScanner is what people write: whatever came before a blank line is an event.
func byScanner(body io.Reader) {
	scanner := bufio.NewScanner(body)
	scanner.Buffer(nil, longest)
	fields := map[string]string{}
	for scanner.Scan() {
		line := scanner.Text()
		if line == "" {
			show(fields["id"], fields["event"], fields["data"])
			fields = map[string]string{}
		} else if name, value, ok := strings.Cut(line, ": "); ok && name != "" {
			fields[name] = value
		}
	}
}

func byGoSSE(body io.Reader) {
	for event, err := range sse.Read(body, &sse.ReadConfig{MaxEventSize: longest}) {
		if err != nil {
			return
		}
		show(event.LastEventID, event.Type, event.Data)
	}
}

func show(id string, kind string, data string) {
	out.Encode(map[string]string{"id": id, "event": kind, "data": data})
	var event struct {
		SequenceNumber int `json:"sequence_number"`
	}
	json.Unmarshal([]byte(data), &event)
	last = strconv.Itoa(event.SequenceNumber)
	if kind == "run.completed" || kind == "run.failed" || kind == "run.cancelled" {
		os.Exit(0)
	}
}
